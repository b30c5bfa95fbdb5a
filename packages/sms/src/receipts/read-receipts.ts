import { fieldOf } from "../field-of.js";
import type { SmsReceipt } from "./sms-receipt.js";

/**
 * Reads a report of Alibaba Cloud, of either kind.
 *
 * Returns `undefined` if it is no list of reports.
 *
 * @see {@link https://help.aliyun.com/en/sms/developer-reference/smsreport-http |
 *   SmsReport, mainland China}
 * @see {@link https://help.aliyun.com/zh/sms/smsreport-http-intl | SmsReport, international}
 */
export function readAliyunReceipts(body: string): readonly SmsReceipt[] | undefined {
  return readList(body, (report) => {
    const success = fieldOf(report, "success");
    if (typeof success === "boolean") return success ? "delivered" : "undelivered";
    return receiptOf(fieldOf(report, "Status"), ["1"], ["2", "6"]);
  });
}

/**
 * Reads a report of Tencent Cloud.
 *
 * Returns `undefined` if it is no list of reports.
 *
 * @see {@link https://cloud.tencent.com/document/api/382/59178 | Status notification}
 */
export function readTencentReceipts(body: string): readonly SmsReceipt[] | undefined {
  return readList(body, (report) => receiptOf(fieldOf(report, "report_status"), ["SUCCESS"], ["FAIL"]));
}

/**
 * Reads a status callback of Twilio. A status before the last one is no receipt.
 *
 * @see {@link https://www.twilio.com/docs/messaging/guides/track-outbound-message-status |
 *   Message status}
 */
export function readTwilioReceipts(form: URLSearchParams): readonly SmsReceipt[] {
  const receipt = receiptOf(form.get("MessageStatus"), ["delivered", "read"], ["undelivered", "failed"]);
  return receipt === undefined ? [] : [receipt];
}

function receiptOf(
  status: unknown,
  delivered: readonly string[],
  undelivered: readonly string[],
): SmsReceipt | undefined {
  if (typeof status !== "string") return undefined;
  if (delivered.includes(status)) return "delivered";
  return undelivered.includes(status) ? "undelivered" : undefined;
}

/** Reads a JSON array. Returns `undefined` if an entry is no report. */
function readList(
  body: string,
  read: (report: unknown) => SmsReceipt | undefined,
): readonly SmsReceipt[] | undefined {
  try {
    const reports: unknown = JSON.parse(body);
    if (!Array.isArray(reports)) return undefined;
    const receipts = reports.map(read).filter((one) => one !== undefined);
    return receipts.length === reports.length ? receipts : undefined;
  } catch {
    return undefined;
  }
}
