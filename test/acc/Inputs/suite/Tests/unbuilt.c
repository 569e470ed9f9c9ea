int main() {
#pragma acc parallel lop
  return 0;
}
