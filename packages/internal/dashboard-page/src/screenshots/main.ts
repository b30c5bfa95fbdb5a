// Takes a picture of every view, in both themes and languages, on a wide and on a narrow screen.
// The Chinese pictures need a Chinese font on this machine.
import { mkdir, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { root } from "@tillkit/repository";
import { type Browser, chromium, type Page } from "playwright-core";
import { format } from "prettier";
import { ensurePage } from "../ensure-page.js";
import { openBrowser } from "../testing/open-browser.js";
import { openDemoShop } from "../testing/demo-shop.js";
import { type Host, openHost } from "../testing/open-host.js";
import { galleryText, LANGUAGES, pictureName, THEMES, WIDTHS } from "./gallery.js";
import { signIn } from "../testing/sign-in.js";
import { type View, viewsOf } from "../testing/views.js";

const PICTURES = `${root}docs/guide/images/dashboard`;

const { values } = parseArgs({
  options: {
    out: { type: "string", default: PICTURES },
    /** Takes only views whose name contains this text. */
    only: { type: "string", default: "" },
    format: { type: "string", default: "webp" },
  },
});

const HEIGHTS = { 1_280: 800, 390: 844 } as const;
/** The view without a session. */
const SIGN_IN: View = { name: "sign-in", path: "/" };

await mkdir(values.out, { recursive: true });
const server = await openBrowser();
const browser = await chromium.connect(server.wsEndpoint());
const host = await openHost(await ensurePage());
const { notes } = await openDemoShop(host);
await host.create("han", "admin");
const views = viewsOf(notes.appId).filter(({ name }) => name.includes(values.only));
await takeAll(browser, host, views);
// Only a run that takes every picture of the repository writes the page that shows all of them.
if (values.only === "" && values.out === PICTURES) {
  const names = [SIGN_IN, ...views].map(({ name }) => name);
  const text = galleryText(names, "guide/images/dashboard");
  await writeFile(
    `${root}docs/operators-page.md`,
    await format(text, { parser: "markdown", printWidth: 110, proseWrap: "always" }),
  );
}
await browser.close();
await server.close();
await host.close();

async function takeAll(opened: Browser, demo: Host, shown: readonly View[]): Promise<void> {
  const signedIn = await opened.newContext();
  await signIn(demo, signedIn, "han");
  const cookies = await signedIn.cookies();
  for (const colorScheme of THEMES) {
    for (const width of WIDTHS) {
      const viewport = { width, height: HEIGHTS[width] };
      const context = await opened.newContext({
        colorScheme,
        viewport,
        locale: "en-US",
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      const takeView = async ({ name, path }: View) => {
        for (const lang of LANGUAGES) {
          const address = `${demo.url}${path}${path.includes("?") ? "&" : "?"}lang=${lang}`;
          await take(page, pictureName(name, lang, colorScheme, width), address);
        }
      };
      await takeView(SIGN_IN);
      await context.addCookies(cookies);
      for (const view of shown) await takeView(view);
      await context.close();
    }
  }
}

async function take(page: Page, name: string, address: string): Promise<void> {
  await page.goto(address);
  await page.locator("h1").first().waitFor();
  await page.locator("main:not(:has([aria-busy=true]))").first().waitFor();
  // The connection of live changes stays open, so the network never becomes idle.
  await page.waitForTimeout(250);
  const file = `${values.out}/${name}`;
  if (values.format === "png") {
    await page.screenshot({ path: `${file}.png`, fullPage: true });
    return;
  }
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  await writeFile(`${file}.webp`, Buffer.from(data, "base64"));
  await session.detach();
}
