// Where a searched table pays: the numbers in ../test_cost.c (cdf_search), H200.
//   nvcc -O3 -std=c++17 -arch=sm_90 -o cdf_search cdf_search.cu && ./cdf_search
// G through L1, S from shared memory (R teams an SM), S3200 the same with 3,200 teams, C constant memory; ms.
#include <cstdio>
#include <vector>
#include <algorithm>
#include <cstdlib>
#include <cuda_runtime.h>
extern __shared__ float sm[];
__constant__ float cb[12288];
template<int P,int K> __global__ void find(const float*cdf0,const float*u,int*o,int n,int m){
  float*cdf1=(float*)cdf0; if(P==1){ for(int k=threadIdx.x;k<m;k+=blockDim.x) sm[k]=cdf0[k]; __syncthreads(); }
  for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=gridDim.x*blockDim.x){ float q=u[i]; int r=-1;
    if(K==0){ for(int j=0;j<m;j++){ float c=P==1?sm[j]:P==2?cb[j]:cdf1[j]; if(c>=q){r=j;break;} } }
    else { int lo=0,hi=m; while(lo<hi){ int c=(lo+hi)/2; float v=P==1?sm[c]:P==2?cb[c]:cdf1[c]; if(v<q) lo=c+1; else hi=c; } r=lo; }
    o[i]=r; } }
template<class F> float tm(F f){ cudaEvent_t a,b;cudaEventCreate(&a);cudaEventCreate(&b); f();f(); cudaDeviceSynchronize(); std::vector<float> v; for(int i=0;i<9;i++){cudaEventRecord(a);f();cudaEventRecord(b);cudaEventSynchronize(b);float t;cudaEventElapsedTime(&t,a,b);v.push_back(t);} cudaError_t e=cudaGetLastError(); if(e) printf("ERR %s ",cudaGetErrorString(e)); std::sort(v.begin(),v.end()); return v[4];}
int main(){ int N=1<<22; float*c,*u; int*o; cudaMalloc(&c,65536);cudaMalloc(&u,N*4);cudaMalloc(&o,N*4);
 for(int m:{500,1000,1024,2500,4000,4096,8000,10000,12000}){ std::vector<float> hc(m),hu(N); for(int i=0;i<m;i++)hc[i]=(i+1.f)/m; for(int i=0;i<N;i++)hu[i]=rand()/(RAND_MAX+1.f); cudaMemcpy(c,hc.data(),m*4,cudaMemcpyHostToDevice);cudaMemcpy(u,hu.data(),N*4,cudaMemcpyHostToDevice); cudaMemcpyToSymbol(cb,hc.data(),m*4);
  int R=std::min(16,228*1024/(m*4+1024)); int g=132*R, n0=1<<20;
  float a=tm([&]{find<0,0><<<3200,128>>>(c,u,o,n0,m);}),b=tm([&]{find<1,0><<<g,128,m*4>>>(c,u,o,n0,m);}),d=tm([&]{find<2,0><<<3200,128>>>(c,u,o,n0,m);});
  float e=tm([&]{find<0,1><<<3200,128>>>(c,u,o,N,m);}),f=tm([&]{find<1,1><<<g,128,m*4>>>(c,u,o,N,m);}),h=tm([&]{find<2,1><<<3200,128>>>(c,u,o,N,m);});
  float b2=tm([&]{find<1,0><<<3200,128,m*4>>>(c,u,o,n0,m);}),f2=tm([&]{find<1,1><<<3200,128,m*4>>>(c,u,o,N,m);});
  printf("m %5d R %2d scan(1M) G %.4f S %.4f S3200 %.4f C %.4f | bisect(4M) G %.4f S %.4f S3200 %.4f C %.4f\n",m,R,a,b,b2,d,e,f,f2,h); } }
