export type Scale = 'fraction' | 'percent';

/** Remembers, per account, that the service writes percent. */
export interface ScaleMemory {
  isPercent: boolean;
  rememberPercent(): void;
}

/** Rounding may make a fraction slightly larger than 1; a figure above this must be a percentage. */
const maxFraction = 1.5;

/**
 * Returns a function that finds the scale of some figures: once it has seen percent, the answer is always percent.
 * `onPercent` is called at that moment, since all earlier figures were misread.
 */
export function createScaleDetector(options: {
  setting: 'auto' | Scale;
  memory: ScaleMemory | undefined;
  onPercent: () => void;
}): (figures: readonly number[]) => Scale {
  const { setting, memory, onPercent } = options;
  let isPercent = memory?.isPercent ?? false;
  return (figures) => {
    if (setting !== 'auto') return setting;
    if (isPercent) return 'percent';
    if (!figures.some((figure) => figure > maxFraction && figure <= 100)) return 'fraction';
    isPercent = true;
    memory?.rememberPercent();
    onPercent();
    return 'percent';
  };
}

/** From 0 to 1; undefined if the figure is out of range. */
export function toFraction(figure: number, scale: Scale): number | undefined {
  if (!(figure >= 0 && figure <= (scale === 'percent' ? 100 : maxFraction))) return undefined;
  return scale === 'percent' ? figure / 100 : Math.min(1, figure);
}
