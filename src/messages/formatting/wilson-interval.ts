/** The standard normal quantile for 95%. */
const z = 1.959963984540054;

/**
 * The 95% Wilson score interval of a share (Wilson 1927, without continuity correction), 0 to 1 each. Unlike the normal
 * approximation it holds for few cases, and for none or all of them. Of 0: from 0 to 1.
 */
export function wilsonInterval(count: number, of: number): { low: number; high: number } {
  if (of <= 0) return { low: 0, high: 1 };
  // A faulty report may count more than all.
  const share = Math.min(1, count / of);
  const scale = 1 + z ** 2 / of;
  const centre = (share + z ** 2 / (2 * of)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  // Rounding may leave 1e-17 where the bound is exactly 0 or 1.
  return {
    low: count <= 0 ? 0 : Math.max(0, centre - half),
    high: count >= of ? 1 : Math.min(1, centre + half),
  };
}
