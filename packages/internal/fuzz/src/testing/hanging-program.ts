// A job that hangs in its third test case.
process.on("message", () => {
  for (const fuzzCase of [0, 1, 2]) process.send?.({ story: fuzzCase });
  for (;;);
});
