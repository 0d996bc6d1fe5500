/** How the trade shortens the names of ports, where no word of every day is spelt so. */
export const abbreviations: Record<string, readonly string[]> = {
  BEANR: ['ANR'],
  CNNGB: ['NGB'],
  CNSHA: ['SHA'],
  DEBRV: ["B'haven", 'Bhaven', 'BHV'],
  GBFXT: ['FXT'],
  GBSOU: ['Soton'],
  HKHKG: ['HKG'],
  NLAMS: ["A'dam", 'AMS'],
  NLRTM: ['RTM', "R'dam", 'Rdam'],
  SGSIN: ['SIN', 'SGP', 'Spore'],
  USLAX: ['LAX'],
  USLGB: ['LGB'],
};
