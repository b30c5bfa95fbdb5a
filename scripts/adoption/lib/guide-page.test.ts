import { expect, it } from "vitest";
import { guidePage } from "./guide-page.js";

const TEXT = `# Page

\`\`\`sh
npm install @tillkit/core express \\
  pg@8    # a server
npm install --save-dev typescript@5
\`\`\`

\`\`\`ts run
console.log(1);
\`\`\`

\`\`\`sh server
npx tillkit doctor
\`\`\`

\`\`\`sh run
npx tillkit keys create
\`\`\`
`;

it("guidePage finds the packages of install lines, the programs, and the commands to run", () => {
  const { packages, snippets, commands } = guidePage({ path: "docs/guide/page.md", text: TEXT });
  expect(packages).toEqual(["@tillkit/core", "express", "pg", "typescript"]);
  expect(snippets.map(({ kind }) => kind)).toEqual(["run"]);
  expect(commands).toEqual(["npx tillkit keys create\n"]);
});
