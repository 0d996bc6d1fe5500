import { z } from 'zod';

/** The places that fit on one map and into its address. */
export const maxPlaces = 8;

/** All that a map shows, in the words that it shows. Who has the address of a map can read this, and nothing else. */
export type MapPicture = z.infer<typeof mapPicture>;
export type MapPlace = MapPicture['places'][number];

const words = (max: number) => z.string().max(max);

export const mapPicture = z.strictObject({
  title: words(40),
  subtitle: words(60),
  /** Such as `invented data`; stands out at the top. */
  badge: words(20).exactOptional(),
  /** Numbered from 1 in this order. */
  places: z
    .array(
      z.strictObject({
        name: words(40),
        /** Such as `82%`; the size of the mark says the same. */
        share: words(10),
        /** From 0 to 1. */
        weight: z.number().min(0).max(1),
        /** Such as an ETA. */
        detail: words(40),
        /** Latitude and longitude in degrees. Left out for a place that can't be drawn on the map. */
        at: z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)]).exactOptional(),
      }),
    )
    .min(1)
    .max(maxPlaces),
  /** Small print, a line each. */
  notes: z.array(words(90)).max(3),
});

/** The letters that the pictures' font lacks; they would be left blank. */
const missing =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]|\p{Extended_Pictographic}/u;

/** True if a picture can show this text. */
export const isDrawable = (text: string): boolean => !missing.test(text);
