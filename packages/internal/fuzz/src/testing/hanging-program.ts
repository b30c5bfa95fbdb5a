// A job that hangs in its third test case.
process.on("message", () => {
  for (const caseNumber of [0, 1, 2]) process.send?.({ caseNumber });
  for (;;);
});
