// A job that dies in its second test case.
process.on("message", () => {
  process.send?.({ story: 0 });
  process.send?.({ story: 1 }, () => process.exit(3));
});
