import { fieldOf } from "../field-of.js";
import type { SmsReceipt } from "./sms-receipt.js";

/**
 * Reads a report of Alibaba Cloud about messages within mainland China, or international ones.
 *
 * Returns `undefined` if the body is not a list of reports.
 *
 * @see {@link https://help.aliyun.com/en/sms/developer-reference/smsreport-http |
 *   SmsReport, mainland China}
 * @see {@link https://help.aliyun.com/zh/sms/smsreport-http-intl | SmsReport, international}
 */
export function readAliyunReceipts(body: string): readonly SmsReceipt[] | undefined {
  return readList(body, (report) => {
    const success = fieldOf(report, "success");
    if (typeof success !== "boolean")
      return receiptOf(fieldOf(report, "Status"), ["1"], ["2", "6"], [fieldOf(report, "MessageId")]);
    // A request to several numbers has one `biz_id`, so the id also needs the number.
    const id = [fieldOf(report, "biz_id"), fieldOf(report, "phone_number")];
    return receiptOf(String(success), ["true"], ["false"], id);
  });
}

/**
 * Reads a report of Tencent Cloud.
 *
 * Returns `undefined` if the body is not a list of reports.
 *
 * @see {@link https://cloud.tencent.com/document/api/382/59178 | Status notification}
 */
export function readTencentReceipts(body: string): readonly SmsReceipt[] | undefined {
  return readList(body, (report) =>
    receiptOf(fieldOf(report, "report_status"), ["SUCCESS"], ["FAIL"], [fieldOf(report, "sid")]),
  );
}

/**
 * Reads a status callback of Twilio. Returns no receipt if the status is not final.
 *
 * @see {@link https://www.twilio.com/docs/messaging/guides/track-outbound-message-status |
 *   Message status}
 */
export function readTwilioReceipts(form: URLSearchParams): readonly SmsReceipt[] {
  const id = [form.get("MessageSid") ?? form.get("SmsSid")];
  const receipt = receiptOf(form.get("MessageStatus"), ["delivered", "read"], ["undelivered", "failed"], id);
  return receipt === undefined || receipt === "not-final" ? [] : [receipt];
}

/** Returns `undefined` without a status, and `not-final` for a status that is not listed. */
function receiptOf(
  status: unknown,
  delivered: readonly string[],
  undelivered: readonly string[],
  id: readonly unknown[],
): SmsReceipt | "not-final" | undefined {
  if (typeof status !== "string") return undefined;
  const outcome = delivered.includes(status) ? "delivered" : "undelivered";
  if (outcome === "undelivered" && !undelivered.includes(status)) return "not-final";
  return id.every((part) => typeof part === "string") ? { outcome, id: id.join(" ") } : { outcome };
}

/** Reads a JSON array. Returns `undefined` if an entry is no report. */
function readList(
  body: string,
  read: (report: unknown) => SmsReceipt | "not-final" | undefined,
): readonly SmsReceipt[] | undefined {
  try {
    const reports: unknown = JSON.parse(body);
    if (!Array.isArray(reports)) return undefined;
    const receipts = reports.map(read);
    if (receipts.includes(undefined)) return undefined;
    // A new status must not make the carrier repeat the whole list.
    return receipts.filter((one) => one !== undefined && one !== "not-final");
  } catch {
    return undefined;
  }
}
