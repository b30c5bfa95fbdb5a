import { expect, it, vi } from "vitest";
import { EndableClient } from "./endable-client.js";

it("aborts with the signal of its request, and calls each listener once", () => {
  const leaving = new AbortController();
  const client = new EndableClient(leaving);
  const [received, removed] = [vi.fn(), vi.fn()];
  client.addEventListener("abort", received);
  client.addEventListener("abort", removed);
  client.removeEventListener("abort", removed);
  expect(client.aborted).toBe(false);
  leaving.abort();
  client.leave();
  expect(client.aborted).toBe(true);
  expect(received).toHaveBeenCalledOnce();
  expect(removed).not.toHaveBeenCalled();
});

it("aborts when leave() is called, with and without a signal", () => {
  for (const request of [new AbortController(), { signal: undefined }]) {
    const client = new EndableClient(request);
    const received = vi.fn();
    client.addEventListener("abort", received);
    client.leave();
    client.leave();
    expect(client.aborted).toBe(true);
    expect(received).toHaveBeenCalledOnce();
  }
});
