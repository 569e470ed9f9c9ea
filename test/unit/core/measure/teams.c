// What the number of teams does to plain OpenMP kernels: the numbers in cost.h (COST_MANY_TEAMS), H200; wall clock, ms,
// about 0.05 of it the region itself. teams 0: left open.
//   clang-19 -O3 -fopenmp --offload-arch=sm_90 -o teams teams.c && ./teams
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
static void conv64(int T,int n,float*a,float*o,float*w,unsigned*idx){ int m=64; if(T){
#pragma omp target teams distribute parallel for num_teams(T)
for(int i=0;i<n-m;i++){ float s=0; for(int j=0;j<m;j++) s+=a[i+j]*w[j]; o[i]=s; } } else {
#pragma omp target teams distribute parallel for
for(int i=0;i<n-m;i++){ float s=0; for(int j=0;j<m;j++) s+=a[i+j]*w[j]; o[i]=s; } } }
static void conv256(int T,int n,float*a,float*o,float*w,unsigned*idx){ int m=256; if(T){
#pragma omp target teams distribute parallel for num_teams(T)
for(int i=0;i<n-m;i++){ float s=0; for(int j=0;j<m;j++) s+=a[i+j]*w[j]; o[i]=s; } } else {
#pragma omp target teams distribute parallel for
for(int i=0;i<n-m;i++){ float s=0; for(int j=0;j<m;j++) s+=a[i+j]*w[j]; o[i]=s; } } }
static void lut(int T,int n,float*a,float*o,float*w,unsigned*idx){ unsigned m=8192; if(T){
#pragma omp target teams distribute parallel for num_teams(T)
for(int i=0;i<n;i++){ unsigned x=idx[i]; float s=0; for(int r=0;r<16;r++){ s+=w[x%m]; x=x*1664525u+1013904223u; } o[i]=s; } } else {
#pragma omp target teams distribute parallel for
for(int i=0;i<n;i++){ unsigned x=idx[i]; float s=0; for(int r=0;r<16;r++){ s+=w[x%m]; x=x*1664525u+1013904223u; } o[i]=s; } } }
static void triad(int T,int n,float*a,float*o,float*w,unsigned*idx){ ; if(T){
#pragma omp target teams distribute parallel for num_teams(T)
for(int i=0;i<n;i++) o[i]=a[i]+3*(int)idx[i]; } else {
#pragma omp target teams distribute parallel for
for(int i=0;i<n;i++) o[i]=a[i]+3*(int)idx[i]; } }
static void bisect(int T,int n,float*a,float*o,float*w,unsigned*idx){ int N=1000; if(T){
#pragma omp target teams distribute parallel for num_teams(T)
for(int i=0;i<n;i++){ float q=idx[i]%7000; int lo=0,hi=N; while(lo<hi){int c=(lo+hi)/2; if(w[c]<q) lo=c+1; else hi=c;} o[i]=lo; } } else {
#pragma omp target teams distribute parallel for
for(int i=0;i<n;i++){ float q=idx[i]%7000; int lo=0,hi=N; while(lo<hi){int c=(lo+hi)/2; if(w[c]<q) lo=c+1; else hi=c;} o[i]=lo; } } }
int main(){ int n=1<<24; float*a=malloc(n*4ll),*o=malloc(n*4ll),*w=malloc(1<<16); unsigned*idx=malloc(n*4ll); for(int i=0;i<n;i++)a[i]=i%100,idx[i]=rand(); for(int i=0;i<1<<14;i++)w[i]=i*7;
 int teams[]={0,528,792,924,1056,1584,2112,3168,3200,4224,6336,12672,25344,131072};
 #pragma omp target data map(to:a[0:n],w[0:1<<14],idx[0:n]) map(tofrom:o[0:n])
 for(unsigned k=0;k<sizeof teams/sizeof*teams;k++){ int T=teams[k]; printf("teams %6d",T);
 {double b=1e9; for(int r=0;r<15;r++){double t=omp_get_wtime(); conv64(T,n,a,o,w,idx); t=omp_get_wtime()-t; if(t<b)b=t;} printf("  conv64 %8.4f",b*1e3);}
 {double b=1e9; for(int r=0;r<15;r++){double t=omp_get_wtime(); conv256(T,n,a,o,w,idx); t=omp_get_wtime()-t; if(t<b)b=t;} printf("  conv256 %8.4f",b*1e3);}
 {double b=1e9; for(int r=0;r<15;r++){double t=omp_get_wtime(); lut(T,n,a,o,w,idx); t=omp_get_wtime()-t; if(t<b)b=t;} printf("  lut %8.4f",b*1e3);}
 {double b=1e9; for(int r=0;r<15;r++){double t=omp_get_wtime(); triad(T,n,a,o,w,idx); t=omp_get_wtime()-t; if(t<b)b=t;} printf("  triad %8.4f",b*1e3);}
 {double b=1e9; for(int r=0;r<15;r++){double t=omp_get_wtime(); bisect(T,n,a,o,w,idx); t=omp_get_wtime()-t; if(t<b)b=t;} printf("  bisect %8.4f",b*1e3);}
 puts(""); } return 0; }
