import type { ReadinessStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { CONCURRENT_CALLERS, FIXTURE_TIME } from "../../../support/fixtures.js";
import { expectFailure, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";

/** A readiness store that was opened for one test. */
export interface OpenedReadiness extends Opened<ReadinessStore> {
  /** The same kind of store over a storage that refuses writes. */
  readonly readOnly: ReadinessStore;
}

/** Tests every requirement of `ReadinessStore`. `open` returns a store for each test. */
export function readinessStoreContract(adapter: string, open: () => Promise<OpenedReadiness>): void {
  describe(`ReadinessStore contract: ${adapter}`, () => {
    const opened = openBeforeEach(async () => {
      const port = await open();
      return { port, close: () => port.close() };
    });

    it("writes repeatedly, also if the clock is set back", async () => {
      for (const now of [FIXTURE_TIME, FIXTURE_TIME, FIXTURE_TIME - 1])
        expect((await opened().port.write(now)).isOk()).toBe(true);
    });

    it(`writes for ${CONCURRENT_CALLERS} processes at once`, async () => {
      const written = await race(CONCURRENT_CALLERS, (caller) => opened().port.write(FIXTURE_TIME + caller));
      expect(written).toHaveLength(CONCURRENT_CALLERS);
    });

    it("fails with a remedy if the storage cannot write", async () => {
      const failure = await expectFailure(opened().readOnly.write(FIXTURE_TIME));
      expect(failure.name).toBe("storage.read-only");
      expect("remedy" in failure && failure.remedy).toMatch(/\w/);
    });
  });
}
