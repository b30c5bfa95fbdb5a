import { sharedStorageContract } from "@tillkit/contract-tests";
import { pooledClient, pooledRole } from "../testing/pgbouncer.js";
import { sharedStorage } from "../testing/shared-storage.js";

sharedStorageContract("PgBouncer", () =>
  sharedStorage({}, { application: { role: pooledRole(), connect: pooledClient } }),
);
