import { sharedStorageContract } from "@tillkit/contract-tests";
import { sharedStorage } from "./testing/shared-storage.js";

sharedStorageContract("PostgreSQL", () => sharedStorage({}));
sharedStorageContract("PostgreSQL, one call a statement", () => sharedStorage({ maxBatchSize: 1 }));
