import {
  accessTokenStoreContract,
  alertStoreContract,
  auditedChangesContract,
  auditLogContract,
  codeStoreContract,
  customerDataStoreContract,
  eventDeliveryStoreContract,
  figuresStoreContract,
  keptBillStoreContract,
  manyCases,
  operatorSessionStoreContract,
  operatorStoreContract,
  orderSearchContract,
  orderStoreContract,
  quotaStoreContract,
  readinessStoreContract,
  refundApprovalStoreContract,
  refundStoreContract,
  serviceStoreContract,
  sessionStoreContract,
  signInAttemptStoreContract,
} from "@tillkit/contract-tests";
import { afterAll, beforeAll } from "vitest";
import { openStoreOf, serverClient, type TestSchema, testSchema } from "../testing/databases.js";

// Runs the statements for a cluster on one server. `npm run test:citus` uses a cluster. By default,
// the tests leave out stores that neither move money nor decide who has access.
let database: TestSchema;
beforeAll(async () => {
  database = await testSchema(serverClient({ max: 16 }), undefined, { distributed: true });
});
afterAll(() => database.close());

const open = openStoreOf(() => database);

orderStoreContract("PostgreSQL as a cluster", () => database.open());
refundStoreContract("PostgreSQL as a cluster", () => database.open());
refundApprovalStoreContract("PostgreSQL as a cluster", () => database.open());
serviceStoreContract("PostgreSQL as a cluster", () => database.open());
codeStoreContract("PostgreSQL as a cluster", open("codes"));
quotaStoreContract("PostgreSQL as a cluster", open("quotas"));
sessionStoreContract("PostgreSQL as a cluster", open("sessions"));
customerDataStoreContract("PostgreSQL as a cluster", () => database.open());
operatorSessionStoreContract("PostgreSQL as a cluster", () => database.open());
signInAttemptStoreContract("PostgreSQL as a cluster", open("signInAttempts"));
operatorStoreContract("PostgreSQL as a cluster", () => database.open());
alertStoreContract("PostgreSQL as a cluster", open("alerts"));
figuresStoreContract("PostgreSQL as a cluster", open("figures"));
accessTokenStoreContract("PostgreSQL as a cluster", open("accessTokens"));
keptBillStoreContract("PostgreSQL as a cluster", open("keptBills"));
readinessStoreContract("PostgreSQL as a cluster", async () => {
  const { port, ...opened } = await database.open();
  return { ...opened, port: port.readiness };
});

if (manyCases()) {
  orderSearchContract("PostgreSQL as a cluster", () => database.open());
  eventDeliveryStoreContract("PostgreSQL as a cluster", () => database.open());
  auditLogContract("PostgreSQL as a cluster", open("auditLog"));
  auditedChangesContract("PostgreSQL as a cluster", () => database.open());
}
