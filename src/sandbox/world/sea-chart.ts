/** A port or a point at sea, with its position in degrees and the points to which it is linked by water. */
export interface ChartPoint {
  name: string;
  latitude: number;
  longitude: number;
  links: readonly string[];
}

/** Each line has name, latitude, longitude and links. A link works in both directions. */
const waypointLines = `
bohai 38.4 121.2 yellow
yellow 36.5 122.9 yangtze cheju
yangtze 30.9 122.9 taiwan-n cheju osumi
cheju 33.6 125.8 korea osumi
korea 34.6 129.0 tsugaru osumi
osumi 30.8 130.7 kii concept juan baja luzon taiwan-n
kii 33.2 136.0 tokyo-off
tokyo-off 34.7 139.8 tokyo-e luzon
tokyo-e 34.9 140.6 concept juan baja tsugaru-e
tsugaru 41.4 140.3 tsugaru-e
tsugaru-e 41.5 141.6 concept juan
taiwan-n 25.9 120.6 taiwan-s
taiwan-s 22.9 118.0 hongkong-off luzon
luzon 20.9 120.6 hongkong-off manila-off
manila-off 14.2 120.4 scs-mid hongkong-off
hongkong-off 22.0 114.3 scs-mid hainan-s
hainan-s 17.9 109.8 tonkin scs-mid
tonkin 19.6 107.6
scs-mid 13.0 111.8 vungtau-off sing-e
vungtau-off 9.9 107.4 camau sing-e scs-mid
camau 8.2 104.6 siam sing-e
siam 12.2 100.8
sing-e 1.4 104.8 sing-w java
java -4.5 106.9 sunda
sunda -6.3 104.6 madagascar-s
sing-w 1.15 103.5 malacca
malacca 2.6 101.2 aceh
aceh 6.0 95.0 dondra madagascar-s
dondra 5.8 80.5 comorin guardafui madagascar-s
comorin 7.6 77.4 mumbai-off guardafui
mumbai-off 18.8 72.2 gujarat guardafui hadd
gujarat 22.4 68.4 hadd
hormuz 26.4 56.6 hadd
hadd 22.6 60.1 salalah-off
salalah-off 16.6 54.2 aden
guardafui 12.9 51.5 aden
aden 12.2 45.0 bab
bab 12.6 43.3 red
red 20.5 38.2 suez-s
suez-s 29.8 32.5 suez-n
suez-n 31.4 32.4 crete-s
crete-s 34.4 24.2 malta kythira
kythira 36.2 22.9 saronic malta otranto
saronic 37.6 23.6
otranto 40.0 18.9 adriatic-n malta
adriatic-n 44.8 13.2
malta 36.4 14.6 bon messina
messina 38.1 15.6 corsica-e
corsica-e 42.0 9.9 ligurian bon
ligurian 43.7 8.8 lion
bon 37.6 11.2 sardinia-s
sardinia-s 37.7 8.0 lion algiers
algiers 37.1 3.0 alboran
lion 42.7 4.9 barcelona-off
barcelona-off 41.2 2.4 valencia-off
valencia-off 39.4 0.1 alboran
alboran 36.2 -2.5 gib
gib 35.95 -5.5 vincent
vincent 36.8 -9.2 finisterre canary banks
finisterre 43.3 -9.7 ushant
ushant 48.9 -5.9 casquets bishop
bishop 49.4 -6.8 banks casquets
casquets 50.0 -2.8 wight dover
wight 50.4 -1.0 dover
dover 51.0 1.5 thames noordhinder
thames 51.6 1.8 noordhinder
noordhinder 52.0 3.2 texel
texel 53.4 4.6 bight skaw
bight 54.0 7.9 elbe skaw
elbe 53.9 8.8 kiel
kiel 54.5 10.4 fehmarn
skaw 57.9 10.8 kattegat
kattegat 56.5 11.7 fehmarn
fehmarn 54.6 11.3 bornholm
bornholm 55.2 14.4 gdansk-bay gotland
gdansk-bay 54.8 19.2 gotland
gotland 56.9 19.6 irbe finland-gulf
irbe 57.8 21.6
finland-gulf 59.4 22.6
banks 42.0 -50.0 nantucket
nantucket 40.4 -69.5 newyork-off
newyork-off 40.4 -73.7 hatteras crooked
hatteras 35.1 -75.2 savannah-off crooked
savannah-off 32.1 -80.0 florida crooked
florida 27.3 -79.6 keys
keys 24.3 -81.5 texas-off yucatan
texas-off 28.5 -94.0
crooked 23.0 -74.2 windward
windward 20.1 -74.2 colon-off cartagena-off
cartagena-off 10.6 -75.8 colon-off
yucatan 21.6 -85.3 colon-off
colon-off 9.5 -79.9 balboa-off
balboa-off 8.8 -79.5 mala
mala 7.1 -80.2 corrientes
corrientes 19.0 -105.2 baja
baja 22.8 -110.2 losangeles-off
losangeles-off 33.6 -118.3 concept
concept 34.4 -120.9 sanfrancisco-off
sanfrancisco-off 37.7 -122.8 juan
juan 48.4 -124.9
canary 29.0 -15.5 dakar-off
dakar-off 14.8 -18.0 palmas recife good-hope
palmas 4.0 -8.0 guinea
guinea 4.0 2.0 good-hope
recife -7.5 -34.4 frio
frio -23.3 -41.5 santos-off good-hope
santos-off -24.8 -46.0 plate
plate -35.2 -55.6 good-hope
good-hope -34.7 18.0 agulhas
agulhas -35.2 20.2 durban-off
durban-off -30.2 31.6 madagascar-s guardafui
madagascar-s -27.0 47.5
`;

const portLines = `
CNSHA 30.6 122.1 yangtze
CNNGB 29.9 121.9 yangtze
CNTAO 36.0 120.3 yellow
CNTXG 38.9 117.8 bohai
CNXAM 24.4 118.1 taiwan-s taiwan-n
CNYTN 22.6 114.3 hongkong-off taiwan-s
CNSHK 22.5 113.9 hongkong-off
HKHKG 22.3 114.1 hongkong-off
TWKHH 22.6 120.3 taiwan-s luzon
KRPUS 35.1 129.0 korea
JPTYO 35.6 139.8 tokyo-off tokyo-e
JPYOK 35.4 139.7 tokyo-off tokyo-e
JPNGO 35.0 136.9 kii tokyo-off
JPUKB 34.6 135.2 kii
SGSIN 1.26 103.8 sing-e sing-w
MYTPP 1.36 103.5 sing-w
MYPKG 3.0 101.3 malacca
THLCH 13.1 100.9 siam
VNVUT 10.4 107.0 vungtau-off
VNHPH 20.8 106.9 tonkin
IDJKT -6.1 106.9 java
PHMNL 14.6 120.9 manila-off
INNSA 18.9 72.9 mumbai-off
INMUN 22.7 69.7 gujarat
LKCMB 6.95 79.8 comorin dondra
PKKHI 24.8 66.9 gujarat
AEJEA 25.0 55.0 hormuz
OMSLL 16.9 54.0 salalah-off
SAJED 21.5 39.1 red
EGPSD 31.3 32.3 suez-n
GRPIR 37.9 23.6 saronic
ITGIT 38.5 15.9 messina
ITGOA 44.4 8.9 ligurian
ITTRS 45.6 13.7 adriatic-n
SIKOP 45.55 13.7 adriatic-n
HRRJK 45.3 14.4 adriatic-n
MTMAR 35.8 14.5 malta
FRFOS 43.4 4.9 lion
ESBCN 41.3 2.2 barcelona-off
ESVLC 39.4 -0.3 valencia-off
ESALG 36.1 -5.4 gib
MAPTM 35.9 -5.5 gib
FRLEH 49.5 0.1 wight dover
GBSOU 50.9 -1.4 wight casquets
GBFXT 51.95 1.35 thames
GBLGP 51.5 0.5 thames
BEANR 51.3 4.3 noordhinder dover
NLRTM 51.95 4.1 noordhinder dover texel
DEWVN 53.6 8.1 bight
DEBRV 53.6 8.5 bight
DEHAM 53.5 9.9 elbe
DKAAR 56.15 10.2 kattegat fehmarn
SEGOT 57.7 11.9 skaw kattegat
PLGDN 54.4 18.7 gdansk-bay
LTKLJ 55.7 21.1 gotland gdansk-bay
LVRIX 57.0 24.1 irbe
EETLL 59.45 24.8 finland-gulf
FIHEL 60.15 24.95 finland-gulf
USNYC 40.7 -74.0 newyork-off
USORF 36.9 -76.3 hatteras
USCHS 32.8 -79.9 savannah-off
USSAV 32.1 -81.1 savannah-off
USHOU 29.7 -95.0 texas-off
USLAX 33.75 -118.25 losangeles-off
USLGB 33.75 -118.2 losangeles-off
USOAK 37.8 -122.3 sanfrancisco-off
USSEA 47.6 -122.35 juan
CAVAN 49.3 -123.1 juan
PAONX 9.4 -79.9 colon-off
COCTG 10.4 -75.5 cartagena-off
BRSSZ -23.95 -46.3 santos-off
BRPNG -25.5 -48.5 santos-off
UYMVD -34.9 -56.2 plate
ARBUE -34.6 -58.4 plate
ZADUR -29.9 31.0 durban-off
ZACPT -33.9 18.4 good-hope
GHTEM 5.6 0.0 guinea palmas
TGLFW 6.1 1.3 guinea
NGAPP 6.4 3.4 guinea
CIABJ 5.3 -4.0 palmas
`;

/** About 80 real ports, by UN/LOCODE. Their positions are rounded: good for distances, not for navigation. */
export const ports: readonly ChartPoint[] = parse(portLines);

/** Capes, straits, canal ends and landfalls between which ships sail straight. */
export const waypoints: readonly ChartPoint[] = parse(waypointLines);

function parse(lines: string): ChartPoint[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', latitude, longitude, ...links] = line.trim().split(/\s+/);
      return { name, latitude: Number(latitude), longitude: Number(longitude), links };
    });
}
