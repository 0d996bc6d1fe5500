/** Returns a function that gives others this context. */
export const bindTo =
  <Ctx>(ctx: Ctx) =>
  <Args extends unknown[], Result>(run: (...args: [...Args, Ctx]) => Result) =>
  (...args: Args): Result =>
    run(...args, ctx);
