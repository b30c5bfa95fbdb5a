import type { OpenedBillReport } from "@tillkit/core";
import { billReportTexts } from "@tillkit/core/operators";

/**
 * Writes a report as `tillkit reports` does.
 *
 * Throws if the storage fails: an incomplete file must not look complete.
 *
 * @param hasLines - whether the file has a line for each payment and refund.
 */
export async function* reportCsv(
  opened: OpenedBillReport,
  hasLines: boolean,
): AsyncGenerator<string, void, undefined> {
  const next = billReportTexts(opened, "csv", hasLines);
  for (;;) {
    const texts = await next();
    if (texts.isErr()) throw new Error(`The export ended early: ${texts.error.name}.`);
    if (texts.value.length === 0) return;
    yield texts.value.join("");
  }
}
