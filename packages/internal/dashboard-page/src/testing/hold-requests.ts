import type { Page } from "playwright-core";

/** Holds back the requests of a page for an address, as a slow network does. */
export async function holdRequests(page: Page, address: string) {
  let release: () => void = () => undefined;
  let arrived: () => void = () => undefined;
  const released = new Promise<void>((done) => {
    release = done;
  });
  const asked = new Promise<void>((done) => {
    arrived = done;
  });
  let count = 0;
  await page.route(address, async (route) => {
    count += 1;
    arrived();
    await released;
    await route.continue();
  });
  return {
    /** Resolves when the page has sent the first request. */
    asked: () => asked,
    /** Returns how many requests the page has sent. */
    count: () => count,
    /** Lets all requests through. */
    release: () => release(),
  };
}
