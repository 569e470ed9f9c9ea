// What most files of the front end include of clang, for PLACE_PRECOMPILE. No file includes this one.
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
