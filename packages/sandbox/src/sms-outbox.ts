import type { Clock, SmsSender } from "@tillkit/core";
import { errAsync, okAsync } from "neverthrow";
import * as z from "zod";
import type { SmsFault } from "./faults.js";
import type { Journal } from "./journal.js";

/** The schema of a message that the carrier accepted. */
export const sentSms = z.object({ mobileNo: z.string(), authCode: z.string(), at: z.int() }).readonly();
/** A message that the carrier accepted. `mobileNo` is E.164, `at` is epoch milliseconds. */
export type SentSms = z.infer<typeof sentSms>;

/** An SMS carrier that stores messages for inspection instead of delivering them. */
export interface SmsOutbox {
  readonly sender: SmsSender;
  /** Returns the messages to `mobileNo` in any notation, or all messages. Oldest first. */
  messages(mobileNo?: string): readonly SentSms[];
}

const KIND = "sms";

/** Opens the carrier. */
export function openSmsOutbox(side: {
  readonly clock: Pick<Clock, "now">;
  readonly journal: Journal;
  fault(): SmsFault;
}): SmsOutbox {
  const sent = [...side.journal.read(KIND, sentSms)];
  const kept = (sms: SentSms): boolean => {
    try {
      side.journal.write(KIND, sms);
      return true;
    } catch {
      return false;
    }
  };
  return {
    sender: {
      send: ({ mobileNo, authCode }) => {
        const fault = side.fault();
        if (fault === "reject")
          return errAsync({ name: "sms.rejected", detail: "a fault of the sandbox refused the message" });
        const sms = { mobileNo, authCode, at: side.clock.now() };
        if (!kept(sms))
          return errAsync({ name: "sms.rejected", detail: "the sandbox cannot write its state file" });
        sent.push(sms);
        if (fault === null) return okAsync(undefined);
        return errAsync({ name: "sms.unknown", detail: "no response from the carrier" });
      },
    },
    messages: (mobileNo) => {
      return mobileNo === undefined ? sent : sent.filter((sms) => sameNumber(sms.mobileNo, mobileNo));
    },
  };
}

const LONGEST_COUNTRY_CODE = 3;
const SHORTEST_NUMBER = 7;

// People write `13800138000`, `+86 138 0013 8000` and `0086…`. A `+` in a query string arrives as a
// space.
function sameNumber(e164: string, written: string): boolean {
  const full = e164.replaceAll(/\D/g, "");
  const digits = written.replaceAll(/\D/g, "").replace(/^0+/, "");
  if (full === digits) return true;
  const missing = full.length - digits.length;
  return (
    digits.length >= SHORTEST_NUMBER &&
    missing > 0 &&
    missing <= LONGEST_COUNTRY_CODE &&
    full.endsWith(digits)
  );
}
