import { expect, it } from "vitest";
import { deadAnchors } from "./dead-anchors.js";

const PAYMENTS = `<a class="skip" href="#VPContent">Skip</a><h2 class="a" id="create-an-order">Create</h2>`;

function deadIn(body: string): readonly string[] {
  return deadAnchors(
    new Map([
      ["/guide/payments.html", PAYMENTS],
      ["/zh/index.html", `<h2 id="停止">停止</h2>`],
      ["/index.html", body],
    ]),
  );
}

it("deadAnchors accepts links to headings that exist, to pages and to other sites", () => {
  expect(
    deadIn(`<h1 id="top">T</h1><a href="#top">1</a><a href="/guide/payments.html#create-an-order">2</a>
      <a href="/zh/#%E5%81%9C%E6%AD%A2">3</a><a href="/guide/payments.html">4</a>
      <a href="https://example.com/#x">5</a>`),
  ).toEqual([]);
});

it.each(["#gone", "/guide/payments.html#gone", "/guide/gone.html#create-an-order", "/zh/#gone"])(
  "deadAnchors names a link to %s",
  (link) => {
    expect(deadIn(`<a class="x" href="${link}">1</a>`)).toEqual([
      `/index.html links to ${link}, which does not exist`,
    ]);
  },
);
