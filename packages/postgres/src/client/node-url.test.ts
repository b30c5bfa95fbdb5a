import { expect, it } from "vitest";
import { nodeUrl } from "./node-url.js";

const NODE = { host: "worker-1.example.com", port: 5433 };

it.each([
  [
    "postgres://app:secret@db.example.com/pay?sslmode=verify-full",
    NODE,
    "postgres://app:secret@worker-1.example.com:5433/pay?sslmode=verify-full",
  ],
  ["postgresql:///pay?host=/run/postgresql&port=5432", NODE, "postgresql://worker-1.example.com:5433/pay"],
  ["postgres://app@db:6432/pay", { host: "fd00::1", port: 5432 }, "postgres://app@[fd00::1]:5432/pay"],
])("nodeUrl replaces the address of %s", (coordinator, node, expected) => {
  expect(nodeUrl(coordinator, node)).toBe(expected);
});
