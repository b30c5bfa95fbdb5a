import assert from "node:assert/strict";

/**
 * Loads the operators' page at `/dashboard` of a running host, and its script.
 *
 * Throws if an answer is not as expected.
 */
export async function loadPage(baseUrl: string): Promise<void> {
  const page = await fetch(`${baseUrl}/dashboard/orders`);
  const html = await page.text();
  assert.equal(page.status, 200, html);
  const script = /src="(\/dashboard\/assets\/[^"]+\.js)"/u.exec(html)?.[1];
  assert.ok(script, html);
  for (const coding of ["br", "gzip", "identity"]) {
    const asset = await fetch(`${baseUrl}${script}`, { headers: { "accept-encoding": coding } });
    const text = await asset.text();
    assert.equal(asset.status, 200, text);
    assert.match(asset.headers.get("content-type") ?? "", /^text\/javascript/u);
    assert.ok(text.length > 100_000, `the script has ${text.length} characters`);
  }
}
