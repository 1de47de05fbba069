/* ranges.c - marked by NVTX; C and C++. */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <string.h>

static nvtxEventAttributes_t named(nvtxStringHandle_t text) {
  nvtxEventAttributes_t attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = text;
  return attributes;
}

static void step(int number) {
  char name[32];
  snprintf(name, sizeof name, "step %d", number);
  nvtxRangePushA(name);
  nvtxRangePushW(L"w\u00efde");
  nvtxRangePop();
  nvtxRangePop();
}

int main(void) {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("solver");
  nvtxEventAttributes_t solve = named(nvtxDomainRegisterStringA(domain, "solve"));
  for (int i = 0; i < 4; i++) {
    char name[32];
    nvtxRangeId_t a, b;
    nvtxDomainRangePushEx(domain, &solve);
    nvtxRangePushA("crossed"); /* domains don't nest in each other */
    nvtxDomainRangePop(domain);
    nvtxRangePop();
    snprintf(name, sizeof name, "copy %d", i % 2);
    a = nvtxRangeStartA(name);
    b = nvtxRangeStartEx(&solve);
    memset(name, 0, sizeof name);
    step(i);
    nvtxRangeEnd(a);
    nvtxRangeEnd(b);
    nvtxMarkA("done");
    nvtxDomainMarkEx(domain, &solve);
  }
  nvtxDomainDestroy(domain);
  return 0;
}
