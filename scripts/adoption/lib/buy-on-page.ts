import assert from "node:assert/strict";
import { z } from "zod";

const notification = z.object({
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

/**
 * Buys on the page `/buy` of the Next.js recipe as a browser without JavaScript does, and pays.
 *
 * Throws if an answer is not as expected.
 */
export async function buyOnPage(baseUrl: string): Promise<void> {
  const page = await submitForm(`${baseUrl}/buy`);
  const open = await textOf(await fetch(page));
  assert.match(open, /PENDING/u);
  assert.match(open, /wallet-a:\/\//u);

  const bizNo = page.searchParams.get("bizNo") ?? "";
  const paid = await fetch(`${baseUrl}/demo/pay/${bizNo}`, { method: "POST" });
  const { path, ...notice } = notification.parse(await paid.json());
  assert.ok((await fetch(`${baseUrl}${path}`, { method: "POST", ...notice })).ok);
  const closed = await textOf(await fetch(page));
  assert.match(closed, /PAID/u);
  assert.doesNotMatch(closed, /http-equiv="refresh"/iu);
}

/** Submits the form of a page as a browser without JavaScript does. Returns where it redirects. */
export async function submitForm(url: string): Promise<URL> {
  const form = await textOf(await fetch(url));
  const body = new FormData();
  // Next.js names the server action in hidden fields.
  for (const [field] of form.matchAll(/<input type="hidden"[^>]*>/gu))
    body.set(attributeOf(field, "name"), attributeOf(field, "value"));
  const submitted = await fetch(url, { method: "POST", body, redirect: "manual" });
  assert.equal(submitted.status, 303);
  return new URL(submitted.headers.get("location") ?? "", url);
}

/** Returns the body. Throws if the answer is no success. */
export async function textOf(answer: Response): Promise<string> {
  const text = await answer.text();
  assert.ok(answer.ok, `${answer.url}: HTTP ${answer.status} ${text}`);
  return text;
}

function attributeOf(element: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`, "u").exec(element)?.[1] ?? "";
}
