export default {
  rootDir: "..",
  testEnvironment: "node",
  testMatch: ["<rootDir>/jest/*.test.js"],
  extensionsToTreatAsEsm: [".ts"],
  // Jest needs a transform for TypeScript. This one uses esbuild; `ts-jest` works as well.
  transform: { "\\.ts$": "<rootDir>/jest/compile-typescript.js" },
};
