// void simt_fiber_switch(void **save, void *load): push the callee-saved registers, store the stack pointer to *save,
// continue on the stack `load`. A fresh stack holds six register slots and the address of its first function. It goes on with a jump: a
// return would be predicted to go to this call's caller, and each wrong guess costs more than all else that a thread does which ends at once.
        .text
        .globl  simt_fiber_switch
        .hidden simt_fiber_switch
        .type   simt_fiber_switch, @function
        .p2align 4
simt_fiber_switch:
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        popq    %rdx
        jmpq    *%rdx
        .size   simt_fiber_switch, .-simt_fiber_switch
        .section .note.GNU-stack,"",@progbits
