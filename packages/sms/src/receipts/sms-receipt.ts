/** Whether the customer's phone received the message. Contains nothing else of the report. */
export type SmsReceipt = "delivered" | "undelivered";
