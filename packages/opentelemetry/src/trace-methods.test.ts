import { trace } from "@opentelemetry/api";
import { expect, it } from "vitest";
import { traceMethods } from "./trace-methods.js";

/** A port that is a class with a private field. */
class ClassPort {
  readonly #text = "kept";
  cached(): string {
    return this.#text;
  }
  read(): Promise<string> {
    return Promise.resolve(this.#text);
  }
}

it("calls the methods of a class on their own object, with and without a span", async () => {
  const tracer = trace.getTracer("test");
  const untraced = new Set(["cached"]);
  const port = traceMethods(new ClassPort(), { tracer, name: "port", attributes: {}, untraced });
  expect(port.cached()).toBe("kept");
  expect(await port.read()).toBe("kept");
});
