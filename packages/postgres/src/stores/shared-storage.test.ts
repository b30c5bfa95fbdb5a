import { manyCases, sharedStorageContract } from "@tillkit/contract-tests";
import { sharedStorage } from "../testing/shared-storage.js";

sharedStorageContract("PostgreSQL", () => sharedStorage({}));
if (manyCases()) {
  sharedStorageContract("PostgreSQL without batches", () => sharedStorage({ maxBatchSize: 1 }));
  sharedStorageContract("PostgreSQL as a cluster", () => sharedStorage({}, { distributed: true }));
}
