export type Scale = 'fraction' | 'percent';

/** Remembers, per account, that the service writes percent. */
export interface ScaleMemory {
  isPercent: boolean;
  rememberPercent(): void;
}

/** Rounding may make a fraction slightly larger than 1; a figure above this must be a percentage. */
const maxFraction = 1.5;

/** Finds the scale of some figures: once it has seen percent, the answer is always percent. */
export function createScaleDetector(options: { setting: 'auto' | Scale; memory: ScaleMemory | undefined }) {
  const { setting, memory } = options;
  let isPercent = setting === 'auto' ? (memory?.isPercent ?? false) : setting === 'percent';
  return {
    of(figures: readonly number[]): Scale {
      const isFound = figures.some((figure) => figure > maxFraction && figure <= 100);
      if (setting === 'auto' && !isPercent && isFound) {
        isPercent = true;
        memory?.rememberPercent();
      }
      return isPercent ? 'percent' : 'fraction';
    },
    /** When it becomes true, all earlier figures were misread. */
    isPercent: () => isPercent,
  };
}

/** From 0 to 1; undefined if the figure is out of range. */
export function toFraction(figure: number, scale: Scale): number | undefined {
  if (!(figure >= 0 && figure <= (scale === 'percent' ? 100 : maxFraction))) return undefined;
  return scale === 'percent' ? figure / 100 : Math.min(1, figure);
}
