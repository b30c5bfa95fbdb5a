import { expect, it } from "vitest";
import { pages } from "../docs-snippets/pages.js";
import { diagramFigure } from "./diagrams.js";

const SOURCE = `stateDiagram-v2
  accTitle: States of a "door"
  accDescr {
    A door is open
    or closed.
  }
  [*] --> OPEN
  OPEN --> CLOSED: somebody closes it
`;

it("a diagram is rendered as a picture with its text alternative", () => {
  const figure = diagramFigure(SOURCE, "d1");
  expect(figure).toContain('role="img" aria-labelledby="d1-title d1-description"');
  expect(figure).toContain('<title id="d1-title">States of a &quot;door&quot;</title>');
  expect(figure).toContain('<desc id="d1-description">A door is open or closed.</desc>');
  expect(figure).toContain(">CLOSED</text>");
  expect(figure).not.toContain("accDescr");
});

it("a diagram leaves colours and fonts to the page, and loads nothing", () => {
  const figure = diagramFigure(SOURCE, "d1");
  expect(figure).not.toMatch(/https?:(?!\/\/www\.w3\.org\/2000\/svg")|<style|\sstyle="|#[0-9a-f]{6}/iu);
});

it("a diagram has ids that no other diagram of the page has", () => {
  const idsOf = (id: string) =>
    [...diagramFigure(SOURCE, id).matchAll(/\sid="([^"]+)"/gu)].map(([, found]) => found);
  expect(idsOf("d1").length).toBeGreaterThan(2);
  expect(idsOf("d1").filter((id) => idsOf("d2").includes(id))).toEqual([]);
});

it.each([
  ["a title", SOURCE.replace(/ *accTitle.*\n/u, "")],
  ["a description", SOURCE.replace(/ *accDescr \{[^}]*\}\n/u, "")],
])("diagramFigure refuses a diagram without %s", (_missing, source) => {
  expect(() => diagramFigure(source, "d1")).toThrow("accTitle");
});

it("diagramFigure renders every diagram of the documentation", () => {
  const sources = pages().flatMap(({ text }) =>
    [...text.matchAll(/^```mermaid\n(.*?)^```$/gmsu)].map(([, source = ""]) => source),
  );
  expect(sources.length).toBeGreaterThan(2);
  for (const source of sources) expect(diagramFigure(source, "d1")).toContain("<svg");
});
