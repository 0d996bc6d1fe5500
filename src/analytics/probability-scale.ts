export type Scale = 'fraction' | 'percent';

/** Remembers, per account, that the service writes percent. */
export interface ScaleMemory {
  isPercent(): boolean;
  rememberPercent(): void;
}

export interface ProbabilityScale {
  /** The scale of these figures. After percent has been seen once, it is always percent. */
  scaleOf(figures: readonly number[]): Scale;
}

/** 1.0001 is a rounded 1; a figure above this must be a percentage. */
const roundedOne = 1.5;

/** `onPercent` is called when percent is first seen: all earlier figures were misread. */
export function createProbabilityScale(options: {
  setting: 'auto' | Scale;
  memory: ScaleMemory | undefined;
  onPercent: () => void;
}): ProbabilityScale {
  const { setting, memory, onPercent } = options;
  let isPercent = false;
  return {
    scaleOf(figures) {
      if (setting !== 'auto') return setting;
      if (isPercent || memory?.isPercent()) return 'percent';
      if (!figures.some((figure) => figure > roundedOne && figure <= 100)) return 'fraction';
      isPercent = true;
      memory?.rememberPercent();
      onPercent();
      return 'percent';
    },
  };
}

/** From 0 to 1; undefined if the figure is out of range. */
export function toFraction(figure: number, scale: Scale): number | undefined {
  if (!(figure >= 0 && figure <= (scale === 'percent' ? 100 : roundedOne))) return undefined;
  return scale === 'percent' ? figure / 100 : Math.min(1, figure);
}
