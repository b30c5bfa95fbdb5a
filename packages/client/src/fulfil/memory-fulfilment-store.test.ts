import { fulfilmentStoreContract } from "./contract/index.js";
import { memoryFulfilmentStore } from "./memory-fulfilment-store.js";

fulfilmentStoreContract("memory", async () => memoryFulfilmentStore());
