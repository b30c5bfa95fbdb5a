import { caseCount, smsPumpingContract } from "@tillkit/contract-tests";
import { memoryPorts } from "../ports/memory-ports.js";

const requests = caseCount({ few: 5_000, many: 100_000 });

smsPumpingContract("memory", async () => ({ port: memoryPorts(), close: async () => undefined }), {
  requests,
  from: 18,
  hours: 8,
  scale: requests / 5_000,
});
