import { sharedStorageContract } from "@tillkit/contract-tests";
import { citusClientWithTriggers, distributeSchema, workerOf } from "../testing/citus.js";
import { sharedStorage } from "../testing/shared-storage.js";

const server = { connect: citusClientWithTriggers, prepare: distributeSchema, nodeOf: workerOf };

sharedStorageContract("Citus", () => sharedStorage({}, server));
