/*
 * abi_check.c - gpu/cupti_abi.h against NVIDIA's headers: compiles only where both agree.  Nothing is linked or run.
 *
 * test_abi.py defines KERNEL, MEMCPY, ... as the newest struct of its name in the headers that it found.
 */
#include <stddef.h>

#include <cupti.h>
#include <cupti_pcsampling.h>
#include <nvtx3/nvToolsExt.h>

#include "cupti_abi.h"
#include "nvtx_abi.h"

#define SAME(ours, theirs) _Static_assert((size_t)(ours) == (size_t)(theirs), #ours " differs from " #theirs)
#define AT(ours, record, field) SAME(ours, offsetof(record, field))

SAME(ABI_SUCCESS, CUPTI_SUCCESS);
SAME(ABI_NO_MORE_RECORDS, CUPTI_ERROR_MAX_LIMIT_REACHED);
SAME(ABI_NOT_COMPATIBLE, CUPTI_ERROR_NOT_COMPATIBLE);
SAME(ABI_SECOND_SUBSCRIBER, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
SAME(ABI_INSUFFICIENT_RIGHTS, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
SAME(ABI_UNKNOWN, CUPTI_ERROR_UNKNOWN);

SAME(ABI_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY);
SAME(ABI_MEMSET, CUPTI_ACTIVITY_KIND_MEMSET);
SAME(ABI_DEVICE, CUPTI_ACTIVITY_KIND_DEVICE);
SAME(ABI_CONTEXT, CUPTI_ACTIVITY_KIND_CONTEXT);
SAME(ABI_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
SAME(ABI_OVERHEAD, CUPTI_ACTIVITY_KIND_OVERHEAD);
SAME(ABI_MEMCPY_PEER, CUPTI_ACTIVITY_KIND_MEMCPY2);
SAME(ABI_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
SAME(ABI_MEMORY, CUPTI_ACTIVITY_KIND_MEMORY2);
SAME(ABI_GRAPH_TRACE, CUPTI_ACTIVITY_KIND_GRAPH_TRACE);

SAME(ABI_DRIVER_API, CUPTI_CB_DOMAIN_DRIVER_API);
SAME(ABI_RUNTIME_API, CUPTI_CB_DOMAIN_RUNTIME_API);
SAME(ABI_ENTER, CUPTI_API_ENTER);
SAME(ABI_EXIT, CUPTI_API_EXIT);
SAME(ABI_DEVICE_BUFFER_POOL_LIMIT, CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT);
SAME(ABI_FLUSH_FORCED, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);

SAME(sizeof(struct abi_callback_data), sizeof(CUpti_CallbackData));
AT(offsetof(struct abi_callback_data, site), CUpti_CallbackData, callbackSite);
AT(offsetof(struct abi_callback_data, function_name), CUpti_CallbackData, functionName);
AT(offsetof(struct abi_callback_data, parameters), CUpti_CallbackData, functionParams);
AT(offsetof(struct abi_callback_data, return_value), CUpti_CallbackData, functionReturnValue);
AT(offsetof(struct abi_callback_data, symbol_name), CUpti_CallbackData, symbolName);
AT(offsetof(struct abi_callback_data, context), CUpti_CallbackData, context);
AT(offsetof(struct abi_callback_data, context_uid), CUpti_CallbackData, contextUid);
AT(offsetof(struct abi_callback_data, correlation_data), CUpti_CallbackData, correlationData);
AT(offsetof(struct abi_callback_data, correlation), CUpti_CallbackData, correlationId);

AT(ABI_KERNEL_REGISTERS, KERNEL, registersPerThread);
AT(ABI_KERNEL_START, KERNEL, start);
AT(ABI_KERNEL_END, KERNEL, end);
AT(ABI_KERNEL_DEVICE, KERNEL, deviceId);
AT(ABI_KERNEL_CONTEXT, KERNEL, contextId);
AT(ABI_KERNEL_STREAM, KERNEL, streamId);
AT(ABI_KERNEL_GRID, KERNEL, gridX);
AT(ABI_KERNEL_BLOCK, KERNEL, blockX);
AT(ABI_KERNEL_STATIC_SHARED, KERNEL, staticSharedMemory);
AT(ABI_KERNEL_DYNAMIC_SHARED, KERNEL, dynamicSharedMemory);
AT(ABI_KERNEL_LOCAL, KERNEL, localMemoryPerThread);
AT(ABI_KERNEL_CORRELATION, KERNEL, correlationId);
AT(ABI_KERNEL_NAME, KERNEL, name);
AT(ABI_KERNEL_QUEUED, KERNEL, queued);
AT(ABI_KERNEL_SUBMITTED, KERNEL, submitted);
AT(ABI_KERNEL_GRAPH_NODE, KERNEL, graphNodeId);
AT(ABI_KERNEL_GRAPH, KERNEL, graphId);

AT(ABI_MEMCPY_KIND, MEMCPY, copyKind);
AT(ABI_MEMCPY_FROM, MEMCPY, srcKind);
AT(ABI_MEMCPY_TO, MEMCPY, dstKind);
AT(ABI_MEMCPY_FLAGS, MEMCPY, flags);
AT(ABI_MEMCPY_BYTES, MEMCPY, bytes);
AT(ABI_MEMCPY_START, MEMCPY, start);
AT(ABI_MEMCPY_END, MEMCPY, end);
AT(ABI_MEMCPY_DEVICE, MEMCPY, deviceId);
AT(ABI_MEMCPY_CONTEXT, MEMCPY, contextId);
AT(ABI_MEMCPY_STREAM, MEMCPY, streamId);
AT(ABI_MEMCPY_CORRELATION, MEMCPY, correlationId);
AT(ABI_MEMCPY_GRAPH_NODE, MEMCPY, graphNodeId);
AT(ABI_MEMCPY_GRAPH, MEMCPY, graphId);

AT(ABI_MEMCPY_STREAM, MEMCPY_PEER, streamId);
AT(ABI_PEER_TO_DEVICE, MEMCPY_PEER, dstDeviceId);
AT(ABI_PEER_CORRELATION, MEMCPY_PEER, correlationId);
AT(ABI_PEER_GRAPH_NODE, MEMCPY_PEER, graphNodeId);
AT(ABI_PEER_GRAPH, MEMCPY_PEER, graphId);

AT(ABI_MEMSET_VALUE, MEMSET, value);
AT(ABI_MEMSET_BYTES, MEMSET, bytes);
AT(ABI_MEMSET_START, MEMSET, start);
AT(ABI_MEMSET_END, MEMSET, end);
AT(ABI_MEMSET_DEVICE, MEMSET, deviceId);
AT(ABI_MEMSET_CONTEXT, MEMSET, contextId);
AT(ABI_MEMSET_STREAM, MEMSET, streamId);
AT(ABI_MEMSET_CORRELATION, MEMSET, correlationId);
AT(ABI_MEMSET_FLAGS, MEMSET, flags);
AT(ABI_MEMSET_MEMORY, MEMSET, memoryKind);
AT(ABI_MEMSET_GRAPH_NODE, MEMSET, graphNodeId);
AT(ABI_MEMSET_GRAPH, MEMSET, graphId);

AT(ABI_SYNC_TYPE, SYNCHRONIZATION, type);
AT(ABI_SYNC_START, SYNCHRONIZATION, start);
AT(ABI_SYNC_END, SYNCHRONIZATION, end);
AT(ABI_SYNC_CORRELATION, SYNCHRONIZATION, correlationId);
AT(ABI_SYNC_CONTEXT, SYNCHRONIZATION, contextId);
AT(ABI_SYNC_STREAM, SYNCHRONIZATION, streamId);

AT(ABI_OVERHEAD_KIND, OVERHEAD, overheadKind);
AT(ABI_OVERHEAD_START, OVERHEAD, start);
AT(ABI_OVERHEAD_END, OVERHEAD, end);
#ifdef OVERHEAD_HAS_CORRELATION
AT(ABI_OVERHEAD_CORRELATION, OVERHEAD, correlationId);
#endif

AT(ABI_GRAPH_CORRELATION, GRAPH_TRACE, correlationId);
AT(ABI_GRAPH_START, GRAPH_TRACE, start);
AT(ABI_GRAPH_END, GRAPH_TRACE, end);
AT(ABI_GRAPH_DEVICE, GRAPH_TRACE, deviceId);
AT(ABI_GRAPH_ID, GRAPH_TRACE, graphId);
AT(ABI_GRAPH_CONTEXT, GRAPH_TRACE, contextId);
AT(ABI_GRAPH_STREAM, GRAPH_TRACE, streamId);

AT(ABI_MEMORY_OPERATION, MEMORY, memoryOperationType);
AT(ABI_MEMORY_KIND, MEMORY, memoryKind);
AT(ABI_MEMORY_CORRELATION, MEMORY, correlationId);
AT(ABI_MEMORY_ADDRESS, MEMORY, address);
AT(ABI_MEMORY_BYTES, MEMORY, bytes);
AT(ABI_MEMORY_TIME, MEMORY, timestamp);
AT(ABI_MEMORY_DEVICE, MEMORY, deviceId);
AT(ABI_MEMORY_CONTEXT, MEMORY, contextId);
AT(ABI_MEMORY_STREAM, MEMORY, streamId);

AT(ABI_DEVICE_MEMORY_RATE, DEVICE, globalMemoryBandwidth);
AT(ABI_DEVICE_MEMORY_BYTES, DEVICE, globalMemorySize);
AT(ABI_DEVICE_WARP_THREADS, DEVICE, numThreadsPerWarp);
AT(ABI_DEVICE_CLOCK_RATE, DEVICE, coreClockRate);
AT(ABI_DEVICE_MULTIPROCESSORS, DEVICE, numMultiprocessors);
AT(ABI_DEVICE_MAX_WARPS, DEVICE, maxWarpsPerMultiprocessor);
AT(ABI_DEVICE_MAX_BLOCKS, DEVICE, maxBlocksPerMultiprocessor);
AT(ABI_DEVICE_MAX_SHARED, DEVICE, maxSharedMemoryPerMultiprocessor);
AT(ABI_DEVICE_MAX_REGISTERS, DEVICE, maxRegistersPerMultiprocessor);
AT(ABI_DEVICE_MAJOR, DEVICE, computeCapabilityMajor);
AT(ABI_DEVICE_MINOR, DEVICE, computeCapabilityMinor);
AT(ABI_DEVICE_ID, DEVICE, id);
AT(ABI_DEVICE_NAME, DEVICE, name);

AT(ABI_CONTEXT_ID, CONTEXT, contextId);
AT(ABI_CONTEXT_DEVICE, CONTEXT, deviceId);

/* No record may be longer in our declaration than in the headers. */
#define FITS(least, record) _Static_assert((size_t)(least) <= sizeof(record), #least " is more than " #record " has")
FITS(ABI_KERNEL_LEAST, KERNEL);
FITS(ABI_MEMCPY_LEAST, MEMCPY);
FITS(ABI_PEER_LEAST, MEMCPY_PEER);
FITS(ABI_MEMSET_LEAST, MEMSET);
FITS(ABI_SYNC_LEAST, SYNCHRONIZATION);
FITS(ABI_OVERHEAD_LEAST, OVERHEAD);
FITS(ABI_GRAPH_LEAST, GRAPH_TRACE);
FITS(ABI_MEMORY_LEAST, MEMORY);
FITS(ABI_DEVICE_LEAST, DEVICE);
FITS(ABI_CONTEXT_LEAST, CONTEXT);

SAME(ABI_OUT_OF_MEMORY, CUPTI_ERROR_OUT_OF_MEMORY);
SAME(ABI_RESOURCES, CUPTI_CB_DOMAIN_RESOURCE);
SAME(ABI_CONTEXT_CREATED, CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
SAME(ABI_CONTEXT_DESTROY_STARTING, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
SAME(ABI_MODULE_LOADED, CUPTI_CBID_RESOURCE_MODULE_LOADED);
SAME(ABI_MODULE_UNLOAD_STARTING, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
SAME(ABI_GRAPH_NODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED);
SAME(ABI_GRAPH_NODE_CLONED, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);

#define MEMBER(ours, member, record, field) AT(offsetof(struct ours, member), record, field)
MEMBER(abi_resource, context, CUpti_ResourceData, context);
MEMBER(abi_resource, descriptor, CUpti_ResourceData, resourceDescriptor);
SAME(sizeof(struct abi_resource), sizeof(CUpti_ResourceData));
MEMBER(abi_module, bytes, CUpti_ModuleResourceData, cubinSize);
MEMBER(abi_module, cubin, CUpti_ModuleResourceData, pCubin);
MEMBER(abi_graph, node, CUpti_GraphData, node);
MEMBER(abi_graph, original_node, CUpti_GraphData, originalNode);
MEMBER(abi_graph, executable, CUpti_GraphData, graphExec);

SAME(ABI_SAMPLING_PERIOD, CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD);
SAME(ABI_SAMPLING_MODE, CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE);
SAME(ABI_SAMPLING_DATA_BUFFER, CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER);
SAME(ABI_SAMPLING_CONTINUOUS, CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS);
SAME(ABI_REASON_BYTES, CUPTI_STALL_REASON_STRING_SIZE);
SAME(sizeof(struct abi_cubin_sum), CUpti_GetCubinCrcParamsSize);
MEMBER(abi_cubin_sum, cubin_bytes, CUpti_GetCubinCrcParams, cubinSize);
MEMBER(abi_cubin_sum, cubin, CUpti_GetCubinCrcParams, cubin);
MEMBER(abi_cubin_sum, sum, CUpti_GetCubinCrcParams, cubinCrc);
SAME(sizeof(struct abi_reason), sizeof(CUpti_PCSamplingStallReason));
MEMBER(abi_reason, samples, CUpti_PCSamplingStallReason, samples);
SAME(sizeof(struct abi_sampled_place), sizeof(CUpti_PCSamplingPCData));
MEMBER(abi_sampled_place, cubin, CUpti_PCSamplingPCData, cubinCrc);
MEMBER(abi_sampled_place, offset, CUpti_PCSamplingPCData, pcOffset);
MEMBER(abi_sampled_place, function, CUpti_PCSamplingPCData, functionName);
MEMBER(abi_sampled_place, reason_count, CUpti_PCSamplingPCData, stallReasonCount);
MEMBER(abi_sampled_place, reasons, CUpti_PCSamplingPCData, stallReason);
SAME(sizeof(struct abi_sampled_data), sizeof(CUpti_PCSamplingData));
MEMBER(abi_sampled_data, most_places, CUpti_PCSamplingData, collectNumPcs);
MEMBER(abi_sampled_data, samples, CUpti_PCSamplingData, totalSamples);
MEMBER(abi_sampled_data, dropped, CUpti_PCSamplingData, droppedSamples);
MEMBER(abi_sampled_data, places, CUpti_PCSamplingData, totalNumPcs);
MEMBER(abi_sampled_data, remaining, CUpti_PCSamplingData, remainingNumPcs);
MEMBER(abi_sampled_data, items, CUpti_PCSamplingData, pPcData);
MEMBER(abi_sampled_data, foreign, CUpti_PCSamplingData, nonUsrKernelsTotalSamples);
MEMBER(abi_sampled_data, buffer_full, CUpti_PCSamplingData, hardwareBufferFull);
SAME(sizeof(struct abi_sampling_setting), sizeof(CUpti_PCSamplingConfigurationInfo));
MEMBER(abi_sampling_setting, status, CUpti_PCSamplingConfigurationInfo, attributeStatus);
MEMBER(abi_sampling_setting, number, CUpti_PCSamplingConfigurationInfo, attributeData.samplingPeriodData);
MEMBER(abi_sampling_setting, buffer, CUpti_PCSamplingConfigurationInfo, attributeData.samplingDataBufferData);
SAME(sizeof(struct abi_sampling_settings), CUpti_PCSamplingConfigurationInfoParamsSize);
MEMBER(abi_sampling_settings, context, CUpti_PCSamplingConfigurationInfoParams, ctx);
MEMBER(abi_sampling_settings, count, CUpti_PCSamplingConfigurationInfoParams, numAttributes);
MEMBER(abi_sampling_settings, items, CUpti_PCSamplingConfigurationInfoParams, pPCSamplingConfigurationInfo);
SAME(sizeof(struct abi_sampling_switch), CUpti_PCSamplingEnableParamsSize);
SAME(sizeof(struct abi_sampling_switch), CUpti_PCSamplingDisableParamsSize);
SAME(sizeof(struct abi_sampling_get), CUpti_PCSamplingGetDataParamsSize);
MEMBER(abi_sampling_get, data, CUpti_PCSamplingGetDataParams, pcSamplingData);
SAME(sizeof(struct abi_reason_count), CUpti_PCSamplingGetNumStallReasonsParamsSize);
MEMBER(abi_reason_count, count, CUpti_PCSamplingGetNumStallReasonsParams, numStallReasons);
SAME(sizeof(struct abi_reason_names), CUpti_PCSamplingGetStallReasonsParamsSize);
MEMBER(abi_reason_names, count, CUpti_PCSamplingGetStallReasonsParams, numStallReasons);
MEMBER(abi_reason_names, numbers, CUpti_PCSamplingGetStallReasonsParams, stallReasonIndex);
MEMBER(abi_reason_names, names, CUpti_PCSamplingGetStallReasonsParams, stallReasons);

#ifdef ABI_CHECK_WRONG /* this must not compile: does the check notice anything? */
AT(ABI_KERNEL_END, KERNEL, start);
#endif

SAME(NVTX_CORE, NVTX_CB_MODULE_CORE);
SAME(NVTX_CUDA, NVTX_CB_MODULE_CUDA);
SAME(NVTX_CUDART, NVTX_CB_MODULE_CUDART);
SAME(NVTX_CORE2, NVTX_CB_MODULE_CORE2);
SAME(NVTX_RANGE_START_EX, NVTX_CBID_CORE_RangeStartEx);
SAME(NVTX_RANGE_START, NVTX_CBID_CORE_RangeStartA);
SAME(NVTX_RANGE_START_WIDE, NVTX_CBID_CORE_RangeStartW);
SAME(NVTX_RANGE_END, NVTX_CBID_CORE_RangeEnd);
SAME(NVTX_RANGE_PUSH_EX, NVTX_CBID_CORE_RangePushEx);
SAME(NVTX_RANGE_PUSH, NVTX_CBID_CORE_RangePushA);
SAME(NVTX_RANGE_PUSH_WIDE, NVTX_CBID_CORE_RangePushW);
SAME(NVTX_RANGE_POP, NVTX_CBID_CORE_RangePop);
SAME(NVTX_NAME_THREAD, NVTX_CBID_CORE_NameOsThreadA);
SAME(NVTX_DOMAIN_RANGE_START, NVTX_CBID_CORE2_DomainRangeStartEx);
SAME(NVTX_DOMAIN_RANGE_END, NVTX_CBID_CORE2_DomainRangeEnd);
SAME(NVTX_DOMAIN_RANGE_PUSH, NVTX_CBID_CORE2_DomainRangePushEx);
SAME(NVTX_DOMAIN_RANGE_POP, NVTX_CBID_CORE2_DomainRangePop);
SAME(NVTX_DOMAIN_REGISTER, NVTX_CBID_CORE2_DomainRegisterStringA);
SAME(NVTX_DOMAIN_CREATE, NVTX_CBID_CORE2_DomainCreateA);
SAME(NVTX_NAME_CU_DEVICE, NVTX_CBID_CUDA_NameCuDeviceA);
SAME(NVTX_NAME_CU_STREAM, NVTX_CBID_CUDA_NameCuStreamA);
SAME(NVTX_NAME_CUDA_DEVICE, NVTX_CBID_CUDART_NameCudaDeviceA);
SAME(NVTX_NAME_CUDA_STREAM, NVTX_CBID_CUDART_NameCudaStreamA);
SAME(NVTX_MESSAGE_ASCII, NVTX_MESSAGE_TYPE_ASCII);
SAME(NVTX_MESSAGE_WIDE, NVTX_MESSAGE_TYPE_UNICODE);
SAME(NVTX_MESSAGE_REGISTERED, NVTX_MESSAGE_TYPE_REGISTERED);
SAME(NVTX_TABLE_CALLBACKS, NVTX_ETID_CALLBACKS);
AT(offsetof(struct nvtx_attributes, message_type), nvtxEventAttributes_t, messageType);
AT(offsetof(struct nvtx_attributes, message), nvtxEventAttributes_t, message);
SAME(sizeof(struct nvtx_attributes), sizeof(nvtxEventAttributes_t));
AT(offsetof(struct nvtx_callbacks, get_module_table), NvtxExportTableCallbacks, GetModuleFunctionTable);

#ifdef CUPTI_SUBSCRIBER_NAME_MAX_LEN /* CUPTI 13 */
SAME(sizeof(struct abi_subscriber), sizeof(CUpti_SubscriberParams));
AT(offsetof(struct abi_subscriber, other), CUpti_SubscriberParams, oldSubscriberName);
SAME(ABI_SUBSCRIBER_NAME_BYTES, CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN);
#endif
