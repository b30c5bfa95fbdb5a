import { describe, expect, it } from "vitest";
import { attachDataJson } from "./attach-data-json.js";

describe("attachDataJson", () => {
  it.each(['{"n":12345678901234567890,"b":1,"a":2,"a":3}', ' [1.00, {"x":"\\u4f60"}]\n', "{}", "[]"])(
    "inserts the JSON text %s unchanged",
    (text) => {
      expect(attachDataJson(text)).toBe(text);
    },
  );

  it.each(["7", '"x"', "null", "true", "", "{broken", "[1,]", "plain text", "{} trailing"])(
    "writes %j as a JSON string",
    (text) => {
      expect(JSON.parse(attachDataJson(text))).toBe(text);
    },
  );
});
