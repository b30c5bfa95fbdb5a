import { readCredentialExpiries, readRecordFigures } from "@tillkit/core";
import { readToday } from "@tillkit/core/operators";
import type { ResultAsync } from "neverthrow";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure } from "../failure.js";
import { type WalletPorts, withWallets } from "../ports.js";
import { SERVER_OPTION } from "../server/address.js";
import { fromSource } from "../server/open-server.js";
import { readStatus } from "../server/status.js";
import { examples, walletCommand } from "../settings.js";
import { type Status, statusAnswer } from "../status-answer.js";

/** Creates `tillkit status`, which shows on one screen what happens today and what waits. */
export function statusCommand({ io, report }: Context) {
  return walletCommand("status")
    .description(
      "Show on one screen the money of today, and what waits for a person or for a background task. Only reads, and calls no wallet. Exits with 1 if something waits for a person.",
    )
    .option(...SERVER_OPTION)
    .addHelpText("after", examples("tillkit status", "tillkit status --json"))
    .action((options) =>
      report(
        options,
        fromSource(io, options, {
          database: () => withWallets(io, options, statusInDatabase),
          server: readStatus,
        }).map(statusAnswer),
      ),
    );
}

function statusInDatabase(ports: WalletPorts): ResultAsync<Status, CliFailure> {
  return readCredentialExpiries(ports)
    .andThen(({ expiries, unread }) =>
      // `unread` counts the pay tools whose credentials cannot be read.
      readRecordFigures(ports, expiries).map((figures) => ({ figures, unread })),
    )
    .andThen((read) => readToday(ports, undefined).map((today) => ({ ...read, today })))
    .mapErr(coreFailure)
    .map(({ figures, unread, today: { date, sales, pending, alarms, notMade } }) => {
      const now = ports.clock.now();
      const warnUntil = now + ports.policy.credentialWarning;
      // The answer omits the oldest pending order, which contains personal data.
      return {
        now,
        today: { date, sales, pending: pending.count, alarms, notMade },
        figures,
        unread,
        warnUntil,
      };
    });
}
