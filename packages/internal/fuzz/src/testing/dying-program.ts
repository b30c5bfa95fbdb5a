// A job that dies in its second test case.
process.on("message", () => {
  process.send?.({ caseNumber: 0 });
  process.send?.({ caseNumber: 1 }, () => process.exit(3));
});
