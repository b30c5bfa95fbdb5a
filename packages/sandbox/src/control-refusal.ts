/** The reason why the sandbox cannot do what was asked, with a text that says what to do next. */
export interface ControlRefusal {
  readonly status: 404 | 409 | 422;
  readonly message: string;
}
