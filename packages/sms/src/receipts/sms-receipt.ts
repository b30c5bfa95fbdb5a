/** A carrier's report about the delivery of one message. */
export interface SmsReceipt {
  /** Whether the customer's phone received the message. */
  readonly outcome: "delivered" | "undelivered";
  /** Identifies the message among those of its carrier. Absent if the report names none. */
  readonly id?: string;
}
