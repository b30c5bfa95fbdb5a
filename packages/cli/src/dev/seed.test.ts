import { orThrow } from "@tillkit/core";
import { disableDownloadsClient, renameServiceType, setDownloadsClientLimit } from "@tillkit/core/operators";
import { memoryPorts } from "@tillkit/memory";
import { expect, it } from "vitest";
import { seed } from "./seed.js";

it("keeps the clients and service types that an operator changed since the last start", async () => {
  const ports = memoryPorts();
  const storage = { sql: { script: async () => undefined } };
  const first = await seed(ports, storage, [], undefined);
  const { appId, downloadsClientId, limitedDownloadsClientId, serviceTypeNo } = first;
  const limited = await orThrow(setDownloadsClientLimit(ports, downloadsClientId, 5));
  const ended = await orThrow(disableDownloadsClient(ports, limitedDownloadsClientId));
  await orThrow(renameServiceType(ports, appId, serviceTypeNo, "Gold"));
  expect(await seed(ports, storage, [], first)).toEqual(first);
  expect(await orThrow(ports.downloadsClients.find(downloadsClientId))).toEqual(limited);
  expect(await orThrow(ports.downloadsClients.find(limitedDownloadsClientId))).toEqual(ended);
});
