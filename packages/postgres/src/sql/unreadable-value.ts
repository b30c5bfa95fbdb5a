/** A stored value that this process cannot read. The message does not contain the value. */
export class UnreadableValue extends TypeError {
  override readonly name = "UnreadableValue";
  readonly remedy: string;

  /** @param remedy - what the operator must do. */
  constructor(message: string, remedy = "Use the version and the keys that wrote it, or correct the row.") {
    super(message);
    this.remedy = remedy;
  }
}
