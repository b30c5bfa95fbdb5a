import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { stub } from "../testing/stubs.js";
import { createDownloadsClient, type CreateDownloadsClientInput } from "./create-downloads-client.js";
import type { DownloadsClientStore } from "./downloads-client-store.js";
import { orThrow } from "../errors/or-throw.js";

const parameters = { appId: "app_1", dailyLimit: 3 };

function create(input: CreateDownloadsClientInput) {
  const ports = {
    downloadsClients: stub<DownloadsClientStore>({ insertOnce: (client) => okAsync(client) }),
    clock: { now: () => 500, sleep: async () => undefined },
    random: { bytes: (count: number) => new Uint8Array(count) },
  };
  return createDownloadsClient(ports, input);
}

describe("createDownloadsClient", () => {
  it("registers the client with the given id", async () => {
    const client = await orThrow(create({ ...parameters, clientId: "reports-of-notes" }));
    expect(client).toEqual({ ...parameters, clientId: "reports-of-notes", gmtCreate: 500 });
  });

  it.each([
    { clientId: "reports-of-notes" },
    { clientId: "abcdefghabcdefgh" },
    { clientId: "1", allowGuessableId: true },
  ])("accepts %o", async ({ clientId, ...rest }) => {
    const created = await create({ ...parameters, clientId, ...rest });
    expect(orThrow(created)).toEqual({ ...parameters, clientId, gmtCreate: 500 });
  });

  it.each([
    ["the same values", {}, true],
    ["another limit", { dailyLimit: 4 }, false],
    ["another app", { appId: "app_2" }, false],
    ["an end in the past, so that it gets no report", { endsAt: 400 }, false],
    ["an end in the future, because it was rotated", { endsAt: 600 }, false],
  ])(
    "returns an existing client with equal settings, and fails otherwise: %s",
    async (_, changes, isSame) => {
      const existing = { ...parameters, clientId: "reports-of-notes", gmtCreate: 1, ...changes };
      const ports = {
        downloadsClients: stub<DownloadsClientStore>({ insertOnce: () => okAsync(existing) }),
        clock: { now: () => 500, sleep: async () => undefined },
        random: { bytes: (count: number) => new Uint8Array(count) },
      };
      const { clientId } = existing;
      const created = await createDownloadsClient(ports, { ...parameters, clientId });
      if (isSame) expect(orThrow(created)).toEqual(existing);
      else expect(created._unsafeUnwrapErr()).toEqual({ name: "downloads-client.exists", clientId });
    },
  );

  it("generates an id if none is given", async () => {
    expect((await orThrow(create(parameters))).clientId).toMatch(/^dlc_[0-9A-Z]{26}$/);
  });

  it("accepts a daily limit of 0", async () => {
    expect((await orThrow(create({ ...parameters, dailyLimit: 0 }))).dailyLimit).toBe(0);
  });

  it.each([
    [{ dailyLimit: -1 }, "dailyLimit", "natural-number"],
    [{ dailyLimit: 1.5 }, "dailyLimit", "natural-number"],
    [{ appId: "a".repeat(65) }, "appId", "length"],
    [{ clientId: "c".repeat(65) }, "clientId", "length"],
    [{ clientId: "reports-of-note" }, "clientId", "guessable"],
    [{ clientId: "abcdefgabcdefgabcdefg" }, "clientId", "guessable"],
  ])("rejects %o", async (changes, parameter, rule) => {
    const failure = (await create({ ...parameters, ...changes }))._unsafeUnwrapErr();
    expect(failure).toEqual({ name: "parameter.invalid", parameter, rule });
  });
});
