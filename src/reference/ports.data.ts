// Made by scripts/ports-data.ts from npm sea-ports and scripts/ports-corrections.ts. Don't edit.
// Of sea-ports:
// The MIT License (MIT)
//
// Copyright (c) 2016 marchah
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

/** One line per port: code, country, name, region, latitude, longitude, zone, other names (|), codes of the same port (|). */
export const portLines = `
AEAJM	AE	Ajman		25.41	55.51	Asia/Dubai		
AEAUH	AE	Abu Dhabi		24.47	54.37	Asia/Dubai		
AEDXB	AE	Dubai		25.25	55.27	Asia/Dubai		
AEFJR	AE	Al Fujayrah		25.12	56.33	Asia/Dubai		
AEJEA	AE	Jebel Ali		24.99	55.03	Asia/Dubai		
AEJED	AE	Jebel Dhanna		24.19	52.61	Asia/Dubai		
AEKLF	AE	Khor al Fakkan		25.33	56.35	Asia/Dubai		
AEPRA	AE	Port Rashid		25.28	55.28	Asia/Dubai		
AEQIW	AE	Umm al Qaiwain		25.57	55.55	Asia/Dubai		
AERKT	AE	Ras al Khaimah		25.78	55.95	Asia/Dubai		
AERUW	AE	Ar Ruways		24.12	52.73	Asia/Dubai		
AESHJ	AE	Sharjah		25.35	55.38	Asia/Dubai		
AGANU	AG	Antigua		17.07	-61.82	America/Antigua		
AGSJO	AG	Saint John's		17.12	-61.85	America/Antigua		
AIBLP	AI	Blowing Point		18.18	-63.09	America/Anguilla		
AIRBY	AI	Road Bay		18.22	-63.07	America/Anguilla		
ALDRZ	AL	Durrës		41.33	19.46	Europe/Tirane	Durres	
ANBON	BQ	Bonaire		12.20	-68.26	America/Kralendijk		
ANCUR	CW	Curaçao		12.12	-68.88	America/Curacao	Curacao	
ANEUX	BQ	Sint Eustatius		18.03	-63.08	America/Kralendijk	Antilles	
ANGSB	BQ	Galisby		12.17	-68.45	America/Kralendijk		
ANPHI	SX	Philipsburg		18.03	-63.05	America/Lower_Princes		
ANSXM	SX	St Maarten		18.03	-63.07	America/Lower_Princes		
ANWIL	CW	Willemstad		12.12	-68.88	America/Curacao		
AOCAB	AO	Cabinda		-5.57	12.20	Africa/Luanda		
AOLAD	AO	Luanda		-8.84	13.29	Africa/Luanda		
AOLOB	AO	Lobito		-12.38	13.56	Africa/Luanda		
AOMSZ	AO	Namibe		-15.20	12.16	Africa/Luanda		
AOSZA	AO	Soyo		-6.14	12.35	Africa/Luanda		
ARBHI	AR	Bahía Blanca		-38.72	-62.28	America/Cordoba	Bahia Blanca	
ARBUE	AR	Buenos Aires		-34.58	-58.67	America/Cordoba		
ARCMP	AR	Campana		-34.15	-58.95	America/Cordoba		
ARCNQ	AR	Corrientes		-27.47	-58.83	America/Cordoba		
ARCRD	AR	Comodoro Rivadavia		-45.87	-67.48	America/Cordoba		
ARCVI	AR	Caleta Olivia		-46.44	-67.52	America/Cordoba		
ARDDC	AR	Delta Dock		-34.04	-59.20	America/Argentina/Buenos_Aires		
ARLPG	AR	La Plata		-34.85	-57.88	America/Cordoba		
ARMDQ	AR	Mar del Plata		-38.05	-57.53	America/Cordoba		
ARNEC	AR	Necochea		-38.55	-58.74	America/Cordoba		
AROYA	AR	Goya		-29.14	-59.26	America/Cordoba		
ARPMY	AR	Puerto Madryn		-42.75	-65.03	America/Cordoba		
ARPUD	AR	Puerto Deseado		-47.75	-65.90	America/Cordoba		
ARRGA	AR	Río Grande		-53.78	-67.70	America/Cordoba	Rio Grande	
ARRGL	AR	Río Gallegos		-51.63	-69.22	America/Cordoba	Rio Gallegos	
ARRIC	AR	Rio Cullen		-52.90	-68.35	America/Argentina/Ushuaia		
ARROS	AR	Rosario		-32.95	-60.65	America/Cordoba		
ARSAE	AR	San Antonio Este		-40.80	-64.73	America/Cordoba		
ARSFN	AR	Santa Fe		-31.60	-60.68	America/Cordoba		
ARSLO	AR	San Lorenzo		-32.81	-60.72	America/Cordoba		
ARSNS	AR	San Nicolás de los Arroyos		-33.33	-60.23	America/Cordoba	San Nicolas de los Arroyos	
ARSPD	AR	San Pedro		-33.68	-59.17	America/Cordoba		
ARUSH	AR	Ushuaia		-54.80	-68.30	America/Cordoba		
ARZAE	AR	Zárate		-34.10	-59.03	America/Cordoba	Zarate	
ASPPG	AS	Pago Pago		-14.28	-170.70	Pacific/Pago_Pago		
ATLTX	AT	Hainfeld		48.03	15.77	Europe/Vienna		
AUABP	AU	Abbot Point		-19.91	148.08	Australia/Brisbane		
AUADL	AU	Adelaide		-34.92	138.58	Australia/Adelaide		
AUARD	AU	Ardrossan		-34.42	137.92	Australia/Adelaide		
AUBBY	AU	Bremer Bay		-34.39	119.38	Australia/Perth		
AUBEL	AU	Bell Bay		-41.12	146.86	Australia/Melbourne		
AUBNE	AU	Brisbane		-27.47	153.02	Australia/Brisbane		
AUBOO	AU	Booby Island		-10.60	141.92	Australia/Brisbane		
AUBWT	AU	Burnie		-41.05	145.91	Australia/Melbourne		
AUCHT	AU	Chittering		-31.47	116.10	Australia/Perth		
AUCNS	AU	Cairns		-16.92	145.77	Australia/Brisbane		
AUDPO	AU	Devonport		-41.18	146.36	Australia/Melbourne		
AUDRW	AU	Darwin		-12.45	130.83	Australia/Darwin		
AUFRE	AU	Fremantle		-32.06	115.75	Australia/Perth		
AUGLT	AU	Gladstone		-23.85	151.26	Australia/Brisbane		
AUGOV	AU	Gove		-12.38	130.87	Australia/Darwin		
AUHBA	AU	Hobart		-42.87	147.30	Australia/Melbourne		
AUHPT	AU	Hay Point		-21.31	149.29	Australia/Brisbane		
AULST	AU	Launceston		-41.43	147.11	Australia/Melbourne		
AUMEL	AU	Melbourne		-37.82	144.97	Australia/Hobart		
AUNLK	AU	New Norfolk		-42.78	147.06	Australia/Melbourne		
AUNTL	AU	Newcastle		-32.93	151.78	Australia/Sydney		
AUPAE	AU	Port Adelaide		-34.85	138.51	Australia/Adelaide		
AUPHE	AU	Port Hedland		-20.31	118.58	Australia/Perth		
AUPKL	AU	Port Kembla		-34.48	150.90	Australia/Sydney		
AUSYD	AU	Sydney		-33.85	151.20	Australia/Sydney		
AUTSV	AU	Townsville		-19.26	146.82	Australia/Brisbane		
AUWEI	AU	Weipa		-12.66	141.84	Australia/Brisbane		
AWAUA	AW	Aruba		12.50	-69.97	America/Aruba		
AWORJ	AW	Oranjestad		12.51	-70.01	America/Aruba		
AZBAK	AZ	Baku		40.41	49.87	Asia/Baku		
BBBGI	BB	Bridgetown		13.11	-59.60	America/Barbados		
BDCGP	BD	Chittagong		22.35	91.81	Asia/Dhaka		
BDCHL	BD	Chalna		22.60	89.51	Asia/Dhaka		
BDDAC	BD	Dhaka		23.81	90.41	Asia/Dhaka		
BDMGL	BD	Mongla		22.49	89.60	Asia/Dhaka		
BEANR	BE	Antwerp		51.22	4.42	Europe/Brussels	Antwerpen|Anvers|Antwerp-Bruges|Amberes	
BEBSU	BE	Bossuit		50.75	3.41	Europe/Brussels		
BEDEL	BE	Doel		51.31	4.26	Europe/Brussels		
BEGNE	BE	Ghent		51.05	3.72	Europe/Brussels	Gent|Gand|North Sea Port Ghent	
BEOST	BE	Ostend		51.20	2.92	Europe/Brussels	Oostende	
BEZEE	BE	Zeebrugge		51.33	3.20	Europe/Brussels	Brugge|Bruges|Zeebruges	
BFOUA	BF	Ouagadougou		12.37	-1.52	Africa/Ouagadougou		
BGBOJ	BG	Burgas		42.50	27.46	Europe/Sofia		
BGVAR	BG	Varna		43.21	27.91	Europe/Sofia		
BHAHD	BH	Al HIdd				Asia/Qatar	Al Hidd	
BHBAH	BH	Bahrain		26.27	50.63	Asia/Bahrain		
BHKBS	BH	Khalifa Bin Salman		26.20	50.62	Asia/Bahrain		
BHMAN	BH	Manama		26.23	50.59	Asia/Bahrain		
BHSIT	BH	Sitrah		26.13	50.62	Asia/Bahrain		
BJCOO	BJ	Cotonou		6.37	2.39	Africa/Porto-Novo		
BMBDA	BM	Hamilton		32.29	-64.78	Atlantic/Bermuda		
BMSOU	BM	Southampton		32.25	-64.86	Atlantic/Bermuda		
BNBWN	BN	Bandar Seri Begawan		4.88	114.93	Asia/Brunei		
BNKUB	BN	Kuala Belait		4.58	114.22	Asia/Brunei		
BNMUA	BN	Muara		5.03	115.07	Asia/Brunei		
BOPBU	BO	Puerto Busch		-20.03	-57.97	America/Campo_Grande		
BOSRZ	BO	Santa Cruz		-17.78	-63.18	America/La_Paz		
BRARB	BR	Aratu		-12.79	-38.46	America/Fortaleza		
BRARE	BR	Areia Branca		-4.98	-37.17	America/Fortaleza		
BRBEL	BR	Belem		-1.45	-48.50	America/Belem		
BRCDO	BR	Cabedelo		-6.99	-34.83	America/Fortaleza		
BRFNO	BR	Forno		-22.76	-41.88	America/Sao_Paulo		
BRFOR	BR	Fortaleza		-3.73	-38.53	America/Fortaleza		
BRIBB	BR	Imbituba		-28.23	-48.67	America/Sao_Paulo		
BRIGI	BR	Itaguaí		-22.87	-43.77	America/Sao_Paulo	Itaguai	
BRIOA	BR	Itapoá		-26.12	-48.60	America/Sao_Paulo	Itapoa	
BRIOS	BR	Ilheus		-14.79	-39.05	America/Fortaleza		
BRIRO	BR	Itabirito		-20.25	-43.80	America/Sao_Paulo		
BRITJ	BR	Itajai		-26.91	-48.67	America/Sao_Paulo		
BRITQ	BR	Itaqui		-29.13	-56.55	America/Sao_Paulo		
BRITZ	BR	Itapemirim		-21.01	-40.83	America/Sao_Paulo		
BRMAO	BR	Manaus		-3.12	-60.02	America/Manaus		
BRMCZ	BR	Maceió		-9.67	-35.72	America/Fortaleza	Maceio	
BRNAT	BR	Natal		-5.78	-35.20	America/Fortaleza		
BRNVT	BR	Navegantes		-26.90	-48.65	America/Sao_Paulo		
BRPCL	BR	Portocel		-19.18	-40.31	America/Sao_Paulo		
BRPEC	BR	Pecém		-3.52	-38.87	America/Fortaleza	Pecem	
BRPNG	BR	Paranaguá		-25.52	-48.50	America/Sao_Paulo	Paranagua	
BRPNN	BR	Paranã		-12.62	-47.88	America/Fortaleza		
BRPOA	BR	Pôrto Alegre		-30.03	-51.22	America/Sao_Paulo	Porto Alegre	
BRREC	BR	Recife		-8.06	-34.88	America/Fortaleza		
BRRIG	BR	Rio Grande		-32.04	-52.11	America/Sao_Paulo		
BRRIO	BR	Rio de Janeiro		-22.91	-43.17	America/Sao_Paulo		
BRSAL	BR	Salto Grande		-22.89	-49.98	America/Sao_Paulo		
BRSFS	BR	São Francisco do Sul		-26.26	-48.63	America/Sao_Paulo	Sao Francisco do Sul	
BRSPB	BR	Porto de Itaguaí		-22.92	-43.82	America/Sao_Paulo	Porto de Itaguai	
BRSSA	BR	Salvador		-12.97	-38.50	America/Fortaleza		
BRSSO	BR	São Sebastião		-23.81	-45.40	America/Sao_Paulo	Sao Sebastiao	
BRSSZ	BR	Santos		-23.95	-46.33	America/Sao_Paulo		
BRSTM	BR	Santarem		-2.45	-54.70	America/Santarem		
BRSUA	BR	Suape		-8.35	-34.96	America/Fortaleza		
BRVDC	BR	Vitória da Conquista		-14.86	-40.84	America/Fortaleza	Vitoria da Conquista	
BRVIC	BR	Vila do Conde	Paraíba	-7.26	-34.90	America/Fortaleza		
BRVIX	BR	Vitoria		-20.30	-40.30	America/Sao_Paulo		
BRVLC	BR	Vila do Conde	Pará	-1.53	-48.75	America/Belem		
BSFPO	BS	Freeport		26.54	-78.65	America/Nassau		
BSNAS	BS	Nassau		25.08	-77.35	America/Nassau		
BYMSQ	BY	Minsk		53.90	27.56	Europe/Minsk		
BZBZE	BZ	Belize City		17.50	-88.20	America/Belize		
CABAT	CA	Bathurst		47.62	-65.65	America/Halifax		
CABCK	CA	Brockville		44.59	-75.68	America/Toronto		
CABDU	CA	Baie d'Urfé		45.40	-73.92	America/Toronto	Baie d'Urfe	
CABEC	CA	Bécancour		46.33	-72.43	America/Toronto	Becancour	
CABJO	CA	Baie-Johan-Beetz		50.30	-62.83	America/Toronto		
CABRL	CA	Burlington		43.33	-79.80	America/Toronto		
CACAL	CA	Calgary		51.03	-114.07	America/Edmonton		
CACBK	CA	Corner Brook		48.95	-57.93	America/St_Johns		
CACCB	CA	Cowichan Bay		48.74	-123.62	America/Vancouver		
CACOL	CA	Collingwood		44.50	-80.22	America/Toronto		
CACRO	CA	Crofton		48.86	-123.65	America/Vancouver		
CACWL	CA	Cornwall		45.02	-74.73	America/Toronto		
CADOR	CA	Dorval		45.45	-73.75	America/Toronto		
CADRU	CA	Drummondville		45.88	-72.48	America/Toronto		
CAEDM	CA	Edmonton		53.54	-113.49	America/Edmonton		
CAHAL	CA	Halifax		44.65	-63.58	America/Halifax		
CAHAM	CA	Hamilton		43.25	-79.87	America/Toronto		
CAHMC	CA	Harmac		49.13	-123.85	America/Vancouver		
CAKVL	CA	Kingsville		42.04	-82.74	America/Toronto		
CAMAG	CA	Magog		45.27	-72.15	America/Toronto		
CAMNT	CA	Moncton		46.09	-64.78	America/Halifax		
CAMTR	CA	Montreal		45.50	-73.57	America/Toronto		
CANIA	CA	Niagara Falls		43.09	-79.08	America/Toronto		
CANNO	CA	Nanaimo		49.17	-123.94	America/Vancouver		
CANOR	CA	North Bay		46.30	-79.45	America/Toronto		
CANWE	CA	New Westminster		49.21	-122.91	America/Vancouver		
CAOAK	CA	Oakville		43.47	-79.69	America/Toronto		
CAODE	CA	Odessa		44.28	-76.72	America/Toronto		
CAOSH	CA	Oshawa		43.90	-78.87	America/Toronto		
CAPCR	CA	Port Credit		43.55	-79.59	America/Toronto		
CAPDV	CA	Port Dover		42.79	-80.20	America/Toronto		
CAPML	CA	Port Mellon		49.52	-123.49	America/Vancouver		
CAPOI	CA	Pointe-Claire		45.43	-73.73	America/Toronto		
CAPRR	CA	Prince Rupert		54.32	-130.32	America/Vancouver		
CAQUE	CA	Quebec		46.80	-71.24	America/Toronto		
CASAK	CA	Saskatoon		52.13	-106.67	America/Regina		
CASCA	CA	Saint-Catharines		43.17	-79.23	America/Toronto		
CASJB	CA	Saint-John		45.27	-66.07	America/Halifax		
CASJF	CA	Saint-John's		47.57	-52.73	America/St_Johns		
CASNI	CA	Sarnia		42.97	-82.41	America/Toronto		
CASOR	CA	Sorel		46.04	-73.11	America/Toronto		
CASSM	CA	Sault-Sainte-Marie		46.52	-84.35	America/Toronto		
CASTC	CA	Stoney Creek		43.23	-79.72	America/Toronto		
CASUM	CA	Summerside		46.39	-63.79	America/Halifax		
CATEX	CA	Texada Island		49.66	-124.41	America/Vancouver		
CATHU	CA	Thunder Bay		48.38	-89.25	America/Toronto		
CATOR	CA	Toronto		43.65	-79.38	America/Toronto		
CATRR	CA	Trois-Rivieres		46.36	-72.55	America/Toronto	Three Rivers	
CATTC	CA	Trenton		44.10	-77.58	America/Toronto		
CAVAN	CA	Vancouver		49.28	-123.12	America/Vancouver		
CAVLF	CA	Valleyfield		45.25	-74.13	America/Toronto		
CAWIN	CA	Winona		43.21	-79.65	America/Toronto		
CAWNP	CA	Winnipeg		49.90	-97.14	America/Winnipeg		
CDBOA	CD	Boma		-5.85	13.05	Africa/Kinshasa		
CDMAT	CD	Matadi		-5.82	13.45	Africa/Kinshasa		
CGPNR	CG	Pointe Noire		-4.77	11.87	Africa/Brazzaville		
CIABJ	CI	Abidjan		5.36	-4.01	Africa/Abidjan		
CISPY	CI	San-Pédro		4.73	-6.62	Africa/Abidjan	San-Pedro	
CLANF	CL	Antofagasta		-23.63	-70.38	America/Santiago		
CLARI	CL	Arica		-18.48	-70.32	America/Santiago		
CLBAG	CL	Bahía San Gregorio		-52.62	-70.13	America/Punta_Arenas	Bahia San Gregorio	
CLBAR	CL	Barquito		-26.35	-70.63	America/Santiago		
CLCAP	CL	San Vicente	CAP	-36.73	-73.13	America/Santiago		
CLCBC	CL	Calbuco		-41.75	-73.13	America/Santiago		
CLCCL	CL	Caleta Coloso		-18.44	-70.29	America/Santiago		
CLCHB	CL	Chacabuco		-45.48	-72.82	America/Coyhaique		
CLCLD	CL	Caldera		-27.03	-70.80	America/Santiago		
CLCNL	CL	Coronel		-37.02	-73.15	America/Santiago		
CLCNR	CL	Chañaral		-26.35	-70.62	America/Santiago	Chanaral	
CLCNX	CL	Cabo Negro		-52.97	-70.85	America/Punta_Arenas		
CLCQQ	CL	Coquimbo		-29.97	-71.33	America/Santiago		
CLCRR	CL	Corral		-39.87	-73.43	America/Santiago		
CLDCH	CL	Dalcahue		-42.38	-73.67	America/Santiago		
CLGYC	CL	Guayacán		-29.98	-71.37	America/Santiago	Guayacan	
CLHSO	CL	Huasco		-28.45	-71.22	America/Santiago		
CLIPC	CL	Isla de Pascua		-27.15	-109.42	Pacific/Easter		
CLIQQ	CL	Iquique		-20.22	-70.13	America/Santiago		
CLJRL	CL	Jureles		-37.00	-73.18	America/Santiago		
CLLOS	CL	Los Vilos		-31.90	-71.50	America/Santiago		
CLLQN	CL	Lirquén		-36.70	-72.98	America/Santiago	Lirquen	
CLLVS	CL	Las Ventanas		-33.27	-71.65	America/Santiago		
CLMCH	CL	Michilla		-22.72	-70.28	America/Santiago		
CLMJS	CL	Mejillones		-23.10	-70.45	America/Santiago		
CLPAG	CL	Puerto Angamos		-23.08	-70.45	America/Santiago		
CLPCH	CL	Puerto Chacabuco		-45.48	-72.83	America/Coyhaique		
CLPEO	CL	Penco		-36.72	-72.98	America/Santiago		
CLPGO	CL	Punta Chungo		-31.89	-71.50	America/Santiago		
CLPMC	CL	Puerto Montt		-41.47	-72.95	America/Santiago		
CLPNT	CL	Puerto Natales		-51.72	-72.50	America/Punta_Arenas		
CLPPC	CL	Punta Patache		-20.82	-70.22	America/Santiago		
CLPPD	CL	Punta Padrones		-27.05	-70.84	America/Santiago		
CLPTE	CL	Quellon		-43.10	-73.62	America/Santiago	Puerto Quellon	
CLPTI	CL	Patillos		-20.75	-70.18	America/Santiago		
CLPUQ	CL	Punta Arenas		-53.13	-70.93	America/Punta_Arenas		
CLQMC	CL	Quemchi		-42.13	-73.48	America/Santiago		
CLQTV	CL	Quintero		-32.77	-71.53	America/Santiago		
CLSAI	CL	San Antonio		-33.60	-71.60	America/Santiago		
CLSVE	CL	San Vicente	Biobío	-36.70	-73.13	America/Santiago		
CLTAL	CL	Talcahuano	Biobío	-36.73	-73.12	America/Santiago		
CLTHO	CL	Talcahuano	Bío Bío Region	-36.72	-73.12	America/Santiago		
CLTOM	CL	Tomé		-36.60	-72.95	America/Santiago	Tome	
CLTOQ	CL	Tocopilla		-22.08	-70.18	America/Santiago		
CLTTC	CL	Taltal		-25.40	-70.47	America/Santiago		
CLVAP	CL	Valparaiso		-33.03	-71.63	America/Santiago		
CLWCA	CL	Castro		-42.47	-73.77	America/Santiago		
CLWCH	CL	Chaitén		-42.92	-72.70	America/Santiago	Chaiten	
CLWPA	CL	Puerto Aisén		-45.38	-72.70	America/Coyhaique	Puerto Aisen	
CLWPU	CL	Puerto Williams		-54.92	-67.62	America/Punta_Arenas		
CLZUD	CL	Ancud		-41.85	-73.83	America/Santiago		
CMDLA	CM	Douala		4.05	9.77	Africa/Douala		
CMKBI	CM	Kribi		2.73	9.87	Africa/Lagos		
CNBAY	CN	Bayuquan		40.23	122.11	Asia/Shanghai		
CNBHY	CN	Beihai Fucheng		22.82	108.33	Asia/Shanghai		
CNBJO	CN	Beijiao	Fujian	26.35	119.92	Asia/Shanghai		
CNCAN	CN	Guangzhou		23.13	113.26	Asia/Shanghai	Canton	
CNCGU	CN	Changshu		31.65	120.75	Asia/Shanghai		
CNCKG	CN	Chongqing		29.56	106.55	Asia/Shanghai		
CNCOZ	CN	Chaozhou		23.67	116.63	Asia/Shanghai		
CNCSX	CN	Changsha		28.23	112.94	Asia/Shanghai		
CNCTU	CN	Chengdu		30.57	104.07	Asia/Shanghai		
CNCWN	CN	Chiwan		22.48	113.88	Asia/Shanghai	Shenzhen	
CNDAA	CN	Dagang		33.19	120.10	Asia/Shanghai		
CNDAL	CN	Dalian		38.91	121.61	Asia/Shanghai		CNDLC
CNDCB	CN	Da Chan Bay		22.53	113.87	Asia/Shanghai		
CNDGG	CN	Dongguan		23.02	113.75	Asia/Shanghai		
CNDLC	CN	Dalian		38.91	121.61	Asia/Shanghai		CNDAL
CNDOU	CN	Doumen		22.20	113.28	Asia/Shanghai		
CNFAN	CN	Fangcheng		21.77	108.35	Asia/Shanghai		
CNFNG	CN	Fuyong		22.65	113.78	Asia/Shanghai		
CNFOC	CN	Fuzhou		26.05	119.30	Asia/Shanghai	Fuchou|Foochow|Foochou	
CNFOS	CN	Foshan		23.03	113.10	Asia/Shanghai		
CNFUG	CN	Fuqing		25.72	119.38	Asia/Shanghai		
CNGGY	CN	Gongyi		23.40	113.22	Asia/Shanghai		
CNGOG	CN	Gongming		22.78	113.87	Asia/Shanghai		
CNGOM	CN	Gaoming		22.88	112.83	Asia/Shanghai		
CNGUG	CN	Guigang		23.10	109.60	Asia/Shanghai		
CNHAK	CN	Haikou		20.04	110.20	Asia/Shanghai		
CNHDU	CN	Huadu		23.40	113.22	Asia/Shanghai		
CNHEB	CN	Hebei		39.88	115.27	Asia/Shanghai		
CNHGH	CN	Hangzhou		30.27	120.16	Asia/Shanghai		
CNHME	CN	Haimen		32.10	121.45	Asia/Shanghai		
CNHMN	CN	Humen		22.83	113.67	Asia/Shanghai		
CNHSN	CN	Heshan		22.77	112.95	Asia/Shanghai		
CNHUA	CN	Huangpu		23.11	113.46	Asia/Shanghai		
CNHUD	CN	Huludao		40.75	120.85	Asia/Shanghai		
CNHUI	CN	Huizhou		23.08	114.37	Asia/Shanghai		
CNJGZ	CN	Jingzhou		30.35	112.18	Asia/Shanghai		
CNJIA	CN	Jiangyin		31.90	120.28	Asia/Shanghai		
CNJIN	CN	Jian		27.12	114.97	Asia/Shanghai		
CNJIU	CN	Jiujiang		29.72	115.97	Asia/Shanghai		
CNJMN	CN	Jiangmen		22.58	113.07	Asia/Shanghai		
CNJNZ	CN	Jinzhou		41.12	121.15	Asia/Shanghai		
CNJXN	CN	Jiao Xin		22.70	113.31	Asia/Shanghai		
CNJZU	CN	Jiuzhou		24.29	116.12	Asia/Shanghai		
CNKHN	CN	Nanchang		28.68	115.86	Asia/Shanghai		
CNKMG	CN	Kunming		24.88	102.83	Asia/Shanghai		
CNKPN	CN	Kaiping		39.70	118.30	Asia/Shanghai		
CNLAN	CN	Lanshi	Guangdong Sheng	22.97	113.98	Asia/Shanghai		
CNLGH	CN	Longhua		22.64	114.02	Asia/Shanghai		
CNLIH	CN	Lianhuashan		23.02	115.27	Asia/Shanghai		
CNLKU	CN	Longkou		37.65	120.35	Asia/Shanghai		
CNLSI	CN	Lanshi	Hunan	26.15	113.60	Asia/Shanghai		
CNLYG	CN	Lianyungang		34.72	119.43	Asia/Shanghai		
CNLZH	CN	Liuzhou		23.32	109.40	Asia/Shanghai		
CNMAW	CN	Mawei		25.98	119.45	Asia/Shanghai		
CNMMI	CN	Maoming		21.66	110.93	Asia/Shanghai		
CNMWN	CN	Mawan		22.45	113.88	Asia/Shanghai		
CNMYG	CN	Mianyang		31.50	104.70	Asia/Shanghai		
CNNAH	CN	Nanhai		23.02	113.15	Asia/Shanghai		
CNNBG	CN	Ningbo		29.87	121.55	Asia/Shanghai		CNNGB|CNNBO
CNNBO	CN	Ningbo		29.87	121.54	Asia/Shanghai		CNNGB|CNNBG
CNNGB	CN	Ningbo		29.87	121.54	Asia/Shanghai	Beilun|Ningbo-Zhoushan	CNNBO|CNNBG
CNNGG	CN	Nangang		23.04	113.20	Asia/Shanghai		
CNNKG	CN	Nanjing		32.06	118.80	Asia/Shanghai		
CNNNG	CN	Nanning		22.82	108.37	Asia/Shanghai		
CNNSA	CN	Nansha		22.75	113.58	Asia/Shanghai		
CNNTG	CN	Nantong		32.02	120.85	Asia/Shanghai		
CNPNY	CN	Shiqiao		22.95	113.37	Asia/Shanghai		
CNPUT	CN	Putian		24.43	119.02	Asia/Shanghai		
CNQAW	CN	Qianwan		36.05	120.22	Asia/Shanghai		
CNQIN	CN	Qingdao		36.07	120.38	Asia/Shanghai		CNTAO
CNQYN	CN	Qingyuan		23.68	113.06	Asia/Shanghai		
CNQZJ	CN	Quanzhou		24.93	118.60	Asia/Shanghai		
CNROQ	CN	Rongqi		22.78	113.27	Asia/Shanghai		
CNRZH	CN	Rizhao		35.38	119.53	Asia/Shanghai		
CNSBU	CN	Sanbu		22.37	112.72	Asia/Shanghai		
CNSDG	CN	Shuidong		21.52	111.00	Asia/Shanghai		
CNSGH	CN	Shanghai		31.23	121.47	Asia/Shanghai		CNSHA|CNSHG
CNSHA	CN	Shanghai		31.23	121.47	Asia/Shanghai	Waigaoqiao	CNSGH|CNSHG
CNSHG	CN	Shanghai		31.23	121.47	Asia/Shanghai		CNSHA|CNSGH
CNSHK	CN	Shekou		22.48	113.92	Asia/Shanghai	Shenzhen	
CNSHP	CN	Qinhuangdao		39.92	119.58	Asia/Shanghai		
CNSIN	CN	Shatian		22.92	113.62	Asia/Shanghai		
CNSJQ	CN	Sanshui		23.17	112.87	Asia/Shanghai		
CNSNW	CN	Shenwan		22.28	113.36	Asia/Shanghai		
CNSSH	CN	Sanshan		23.04	113.24	Asia/Shanghai	Nanhai	
CNSTG	CN	Shantou		23.35	116.68	Asia/Shanghai	Port of Shantou|Swatow	
CNSUD	CN	Shunde		22.83	113.25	Asia/Shanghai		
CNSWA	CN	Jieyang Chaoshan		23.13	113.27	Asia/Shanghai		
CNSWE	CN	Shanwei		22.78	115.35	Asia/Shanghai		
CNSZX	CN	Shenzhen Baoan		22.56	113.88	Asia/Shanghai		
CNTAG	CN	Taicang		31.46	121.13	Asia/Shanghai		
CNTAO	CN	Qingdao		36.07	120.38	Asia/Shanghai	Tsingtao	CNQIN
CNTAP	CN	Taiping		21.03	110.17	Asia/Shanghai		
CNTHG	CN	Taicheng		22.25	112.78	Asia/Shanghai	Taishan	
CNTSN	CN	Tianjin		39.08	117.20	Asia/Shanghai		
CNTXG	CN	Tianjin Xingang		38.98	117.70	Asia/Shanghai	Tianjin New|Tianjin|Tientsin|Xingang|Tianjin New Port	
CNTZO	CN	Taizhou		32.48	119.90	Asia/Shanghai		
CNWAZ	CN	Wanzai		22.18	113.52	Asia/Shanghai		
CNWEI	CN	Weihai		37.52	122.12	Asia/Shanghai		
CNWHI	CN	Wuhu		31.32	118.37	Asia/Shanghai		
CNWNZ	CN	Wenzhou		27.99	120.70	Asia/Shanghai		
CNWUH	CN	Wuhan		30.59	114.31	Asia/Shanghai		
CNXAB	CN	Xinfeng		24.06	114.21	Asia/Shanghai		
CNXAM	CN	Xiamen		24.48	118.09	Asia/Shanghai	Amoy	CNXMN
CNXGA	CN	Xingang		39.01	117.68	Asia/Shanghai		CNXGG
CNXGG	CN	Xingang		39.01	117.68	Asia/Shanghai		CNXGA
CNXIL	CN	Xiaolan		22.67	113.25	Asia/Shanghai		
CNXIN	CN	Xinhui		22.53	113.02	Asia/Shanghai		
CNXIT	CN	Xintang		23.12	113.62	Asia/Shanghai		
CNXMN	CN	Xiamen		24.48	118.09	Asia/Shanghai		CNXAM
CNYAN	CN	Yangshan		29.48	121.87	Asia/Shanghai		
CNYIC	CN	Yichang		30.70	111.28	Asia/Shanghai		
CNYIK	CN	Yingkou		40.65	122.22	Asia/Shanghai		
CNYJI	CN	Yangjiang		21.83	111.97	Asia/Shanghai		
CNYNF	CN	Yunfu		22.92	112.04	Asia/Shanghai		
CNYNT	CN	Yantai		37.46	121.45	Asia/Shanghai		CNYTG
CNYPG	CN	Yangpu		19.70	109.20	Asia/Shanghai		
CNYQS	CN	Beijiao	Guangdong	22.93	113.21	Asia/Shanghai		
CNYTG	CN	Yantai		37.46	121.45	Asia/Shanghai		CNYNT
CNYTN	CN	Yantian		22.57	114.27	Asia/Shanghai	Shenzhen	
CNYZH	CN	Yangzhou		32.38	119.43	Asia/Shanghai		
CNZAP	CN	Zhapu		30.60	121.10	Asia/Shanghai	Zhejiang	
CNZHA	CN	Zhanjiang Potou		23.13	113.27	Asia/Shanghai		
CNZHE	CN	Zhenjiang		32.18	119.45	Asia/Shanghai		
CNZJG	CN	Zhangjiagang		31.87	120.53	Asia/Shanghai		
CNZOS	CN	Zhoushan		29.99	122.21	Asia/Shanghai		
CNZQG	CN	Zhaoqing		23.05	112.45	Asia/Shanghai		
CNZSN	CN	Zhongshan		22.52	113.37	Asia/Shanghai		
CNZUH	CN	Zhuhai		22.28	113.57	Asia/Shanghai		
COBAQ	CO	Barranquilla		11.00	-74.81	America/Bogota		
COBUN	CO	Buenaventura		3.88	-77.02	America/Bogota		
COCTG	CO	Cartagena		10.39	-75.48	America/Bogota		
COPBO	CO	Puerto Bolívar		10.68	-74.73	America/Bogota	Puerto Bolivar	
COSMR	CO	Santa Marta		11.24	-74.21	America/Bogota		
COTCO	CO	Tumaco		1.80	-78.80	America/Bogota		
CRCAL	CR	Caldera		9.95	-84.72	America/Costa_Rica		
CRGLF	CR	Golfito		8.65	-83.15	America/Costa_Rica		
CRLIO	CR	Puerto Limón		10.00	-83.03	America/Costa_Rica	Puerto Limon	
CRMOB	CR	Moín		10.00	-83.08	America/Costa_Rica	Moin	
CRPAS	CR	Puntarenas		9.97	-84.83	America/Costa_Rica		
CRPCA	CR	Puerto Caldera		9.93	-84.09	America/Costa_Rica		
CRSJO	CR	San José		9.93	-84.08	America/Costa_Rica	San Jose	
CUHAV	CU	La Habana		23.12	-82.35	America/Havana		
CUMAR	CU	Mariel		23.00	-82.75	America/Havana		
CUQMA	CU	Matanzas		22.58	-81.34	America/Havana		
CUSCU	CU	Santiago de Cuba		20.02	-75.83	America/Havana		
CVMIN	CV	Mindelo		16.88	-25.00	Atlantic/Cape_Verde		
CVPAL	CV	Palmeira		16.76	-22.98	Atlantic/Cape_Verde		
CVRAI	CV	Praia		14.93	-23.51	Atlantic/Cape_Verde		
CYLMS	CY	Limassol		34.68	33.05	Asia/Nicosia		
CYNIC	CY	Nicosia		35.17	33.37	Asia/Nicosia		
CYPFO	CY	Paphos		34.77	32.42	Asia/Nicosia		
DEBEZ	DE	Bahlingen		48.12	7.74	Europe/Berlin		
DEBIN	DE	Bingen am Rhein		49.97	7.88	Europe/Berlin		
DEBKE	DE	Brake		53.33	8.48	Europe/Berlin		
DEBOY	DE	Bad Oeynhausen		52.21	8.80	Europe/Berlin		
DEBRA	DE	Bramel		53.55	8.70	Europe/Berlin		
DEBRB	DE	Brunsbüttel		53.90	9.13	Europe/Berlin	Brunsbuttel	
DEBRE	DE	Bremen		53.08	8.80	Europe/Berlin		
DEBRV	DE	Bremerhaven		53.54	8.58	Europe/Berlin		
DEBSK	DE	Burgstaaken		54.42	11.19	Europe/Berlin		
DECGN	DE	Köln		50.95	6.93	Europe/Berlin	Koln	
DECUX	DE	Cuxhaven		53.88	8.70	Europe/Berlin		
DEDUS	DE	Düsseldorf		51.23	6.78	Europe/Berlin	Dusseldorf	
DEELS	DE	Elsfleth		53.23	8.47	Europe/Berlin		
DEEME	DE	Emden		53.37	7.22	Europe/Berlin		
DEFLF	DE	Flensburg		54.79	9.45	Europe/Berlin		
DEHAM	DE	Hamburg		53.55	9.99	Europe/Berlin	Hambourg|Hamburgo|Amburgo	
DEHBU	DE	Harburg		53.46	9.98	Europe/Berlin		
DEHMM	DE	Hamm		51.68	7.80	Europe/Berlin		
DEKEL	DE	Kiel		54.33	10.13	Europe/Berlin		
DEKGU	DE	Kriegenbrunn		49.56	10.96	Europe/Berlin		
DEKHO	DE	Kochendorf		49.22	9.21	Europe/Berlin		
DELBC	DE	Lübeck		53.87	10.69	Europe/Berlin	Lubeck	
DELEE	DE	Leer		53.24	7.47	Europe/Berlin		
DEMHG	DE	Mannheim		49.48	8.45	Europe/Berlin		
DENHA	DE	Nordenham		53.50	8.48	Europe/Berlin		
DENOR	DE	Nordstrand		54.51	8.92	Europe/Berlin		
DEPFR	DE	Pfronten		47.58	10.53	Europe/Berlin		
DERSK	DE	Rostock		54.08	12.13	Europe/Berlin		
DEWED	DE	Wedel		53.58	9.71	Europe/Berlin		
DEWOR	DE	Worms		49.63	8.35	Europe/Berlin		
DEWVN	DE	Wilhelmshaven		53.52	8.13	Europe/Berlin	JadeWeserPort	
DJJIB	DJ	Djibouti		11.57	43.15	Africa/Djibouti		DJPOD
DJPOD	DJ	Djibouti		11.57	43.15	Africa/Djibouti		DJJIB
DKAAL	DK	Aalborg		57.05	9.92	Europe/Copenhagen		
DKAAR	DK	Aarhus		56.15	10.22	Europe/Copenhagen	Århus|Arhus	
DKASN	DK	Assens		55.27	9.90	Europe/Copenhagen		
DKCPH	DK	Copenhagen		55.67	12.58	Europe/Copenhagen	Kobenhavn|Kopenhagen	
DKEBJ	DK	Esbjerg		55.48	8.46	Europe/Copenhagen		
DKFRC	DK	Fredericia		55.57	9.75	Europe/Copenhagen		
DKHIR	DK	Hirtshals		57.59	9.97	Europe/Copenhagen		
DKHLS	DK	Helsingor		56.03	12.59	Europe/Copenhagen		
DKHSB	DK	Holstebro		56.36	8.62	Europe/Copenhagen		
DKKAL	DK	Kalundborg		55.69	11.09	Europe/Copenhagen		
DKKTD	DK	Kerteminde		55.46	10.65	Europe/Copenhagen		
DKNBG	DK	Nyborg		55.32	10.80	Europe/Copenhagen		
DKODE	DK	Odense		55.40	10.40	Europe/Copenhagen		
DKRUG	DK	Rungsted		55.88	12.52	Europe/Copenhagen		
DKSKA	DK	Skagen		57.73	10.58	Europe/Copenhagen		
DKSVE	DK	Svendborg		55.07	10.61	Europe/Copenhagen		
DMRSU	DM	Roseau		15.31	-61.38	America/Dominica		
DOCAU	DO	Caucedo		18.42	-69.63	America/Santo_Domingo		
DOHAI	DO	Rio Haina		18.51	-70.07	America/Santo_Domingo		
DOMAN	DO	Manzanillo		19.70	-71.75	America/Santo_Domingo		
DOPOP	DO	Puerto Plata		19.78	-70.69	America/Santo_Domingo		
DOSDQ	DO	Santo Domingo		18.47	-69.90	America/Santo_Domingo		
DOSPM	DO	San Pedro de Macorís		18.45	-69.30	America/Santo_Domingo	San Pedro de Macoris	
DZAAE	DZ	Annaba		36.90	7.77	Africa/Algiers	Bone	
DZALG	DZ	Algiers		36.75	3.05	Africa/Algiers	Alger	
DZBJA	DZ	Bejaia		36.75	5.06	Africa/Algiers	Bougie	
DZGHA	DZ	Ghardaïa		32.48	3.67	Africa/Tunis	Ghardaia	
DZMOS	DZ	Mostaganem		36.01	0.14	Africa/Algiers		
DZORN	DZ	Oran		35.70	-0.63	Africa/Algiers		
DZSKI	DZ	Skikda		36.87	6.91	Africa/Algiers	Philippeville	
ECBHA	EC	Bahía de Caráquez		-0.55	-80.50	America/Guayaquil	Bahia de Caraquez	
ECCHA	EC	Chanduy		-2.42	-80.67	America/Guayaquil		
ECESM	EC	Esmeraldas		0.98	-79.70	America/Guayaquil		
ECGYE	EC	Guayaquil		-2.17	-79.90	America/Guayaquil		
ECLLD	EC	La Libertad		-2.23	-80.90	America/Guayaquil		
ECMEC	EC	Manta		-0.95	-80.73	America/Guayaquil		
ECMTV	EC	Monteverde		-2.03	-80.72	America/Guayaquil		
ECPBO	EC	Puerto Bolívar		-3.27	-79.98	America/Guayaquil	Puerto Bolivar	
EEHLD	EE	Haldi		58.81	22.47	Europe/Tallinn		
EEMUG	EE	Muuga		59.50	24.97	Europe/Tallinn		
EETLL	EE	Tallinn		59.43	24.73	Europe/Tallinn		
EGAIS	EG	Ain Sukhna		29.63	32.33	Africa/Cairo		
EGALY	EG	Alexandria		31.31	30.06	Africa/Cairo	El Iskandariya	
EGDAM	EG	Damietta		31.42	31.82	Africa/Cairo	Dumyat	
EGEDK	EG	El Dekheila		30.71	30.77	Africa/Cairo		
EGPSD	EG	Port Said		31.27	32.30	Africa/Cairo	Port-Said|Bur Said	
EGSOK	EG	Sokhna		29.65	32.35	Africa/Cairo	Ain Sokhna|El Sokhna	
EGSUZ	EG	Suez		29.97	32.52	Africa/Cairo	As Suways	
ERASA	ER	Assab		13.00	42.73	Africa/Asmera		
ERMSW	ER	Massawa		15.60	39.45	Africa/Asmera	Mitsiwa	
ESACE	ES	Lanzarote		28.97	-13.53	Atlantic/Canary		
ESAGP	ES	Málaga		36.72	-4.42	Europe/Madrid	Malaga	
ESALC	ES	Alicante		38.35	-0.49	Europe/Madrid		
ESALG	ES	Algeciras		36.14	-5.46	Europe/Madrid	Algeziras	
ESAVS	ES	Aviles		43.56	-5.92	Europe/Madrid		
ESBCN	ES	Barcelona		41.39	2.17	Europe/Madrid		
ESBIO	ES	Bilbao		43.25	-2.97	Europe/Madrid		
ESBRM	ES	Bermeo		43.43	-2.72	Europe/Madrid		
ESCAD	ES	Cadiz		36.53	-6.29	Europe/Madrid		
ESCAR	ES	Cartagena		37.63	-1.00	Europe/Madrid		
ESCAS	ES	Castellón de la Plana		39.98	-0.03	Europe/Madrid	Castellon de la Plana	
ESCEU	ES	Ceuta		35.89	-5.32	Europe/Madrid		
ESEBO	ES	Cebolla						
ESFER	ES	Ferez		38.35	-2.00	Europe/Madrid		
ESFUE	ES	Puerto del Rosario-Fuerteventura		28.50	-13.86	Atlantic/Canary		
ESGIJ	ES	Gijón		43.53	-5.67	Europe/Madrid	Gijon	
ESHUV	ES	Huelva		37.26	-6.94	Europe/Madrid		
ESIBZ	ES	Ibiza		38.90	1.43	Europe/Madrid		
ESLCG	ES	A Coruña		43.37	-8.38	Europe/Madrid	La Coruna|A Coruna|La Coruña|Corunna	
ESLEI	ES	Almería		36.83	-2.45	Europe/Madrid	Almeria	
ESLPA	ES	Las Palmas		28.10	-15.42	Atlantic/Canary	Las Palmas de Gran Canaria	
ESMAD	ES	Madrid		40.42	-3.70	Europe/Madrid		
ESMAH	ES	Mahon		39.88	4.25	Europe/Madrid		
ESMLN	ES	Melilla		35.32	-2.88	Africa/Ceuta		
ESMOT	ES	Motril		36.75	-3.52	Europe/Madrid		
ESMPG	ES	Marin		42.39	-8.70	Europe/Madrid		
ESPAL	ES	Palamós		41.85	3.13	Europe/Madrid	Palamos	
ESPAS	ES	Pasajes		43.33	-1.93	Europe/Madrid		
ESPMI	ES	Palma de Mallorca		39.57	2.63	Europe/Madrid		
ESSCT	ES	Santa Cruz de Tenerife		28.46	-16.25	Atlantic/Canary		
ESSDR	ES	Santander		43.46	-3.81	Europe/Madrid		
ESSNR	ES	Santurce		43.33	-3.03	Europe/Madrid		
ESSPC	ES	Santa Cruz de La Palma		28.68	-17.77	Atlantic/Canary		
ESSVQ	ES	Sevilla		37.39	-5.98	Europe/Madrid	Seville	
ESTAR	ES	Tarragona		41.12	1.24	Europe/Madrid		
ESTBZ	ES	Tabuenca		41.69	-1.54	Europe/Madrid		
ESTCI	ES	Tenerife		28.32	-16.57	Atlantic/Canary		
ESTOT	ES	Tortosa		40.81	0.52	Europe/Madrid		
ESVGO	ES	Vigo		42.24	-8.72	Europe/Madrid		
ESVLC	ES	Valencia		39.47	-0.38	Europe/Madrid		
ESZAZ	ES	Zaragoza		41.65	-0.89	Europe/Madrid		
FIHEL	FI	Helsinki		60.17	24.94	Europe/Helsinki	Helsingfors	
FIHKO	FI	Hanko		59.83	22.97	Europe/Helsinki	Hango	
FIHMN	FI	Hamina		60.57	27.20	Europe/Helsinki	Fredrikshamn	
FIKEM	FI	Kemi		65.73	24.57	Europe/Helsinki	Tornio	
FIKOK	FI	Kokkola		63.83	23.12	Europe/Helsinki	Karleby	
FIKTK	FI	Kotka		60.47	26.92	Europe/Helsinki		
FIMTL	FI	Mantyluoto		61.59	21.48	Europe/Helsinki		
FIOLU	FI	Oulu	Northern Ostrobothnia	65.01	25.47	Europe/Helsinki		
FIOUL	FI	Oulu	Pohjois-Pohjanmaa	65.02	25.47	Europe/Helsinki	Uleaborg	
FIPOR	FI	Pori		61.48	21.80	Europe/Helsinki	Bjorneborg	
FIRAU	FI	Rauma		61.13	21.50	Europe/Helsinki	Raumo	
FITKU	FI	Turku		60.45	22.28	Europe/Helsinki	Abo	
FITOR	FI	Tornio		65.85	24.18	Europe/Helsinki	Tornea	
FJLTK	FJ	Lautoka		-17.62	177.45	Pacific/Fiji		
FJSUV	FJ	Suva		-18.12	178.45	Pacific/Fiji		
FKPSY	FK	Port Stanley		-51.70	-57.85	Atlantic/Stanley		
FMPNI	FM	Pohnpei		6.85	158.26	Pacific/Pohnpei	Ponape	
FOTHO	FO	Thorshavn		62.02	-6.77	Atlantic/Faeroe		
FRBAS	FR	Bassens		44.90	-0.52	Europe/Paris		
FRBAY	FR	Bayonne		43.49	-1.47	Europe/Paris		
FRBES	FR	Brest		48.40	-4.48	Europe/Paris		
FRBOD	FR	Bordeaux		44.84	-0.58	Europe/Paris		
FRBOL	FR	Boulogne-sur-Mer		50.72	1.62	Europe/Paris		
FRCQF	FR	Calais		50.95	1.86	Europe/Paris		
FRDKK	FR	Dunkirk		51.03	2.38	Europe/Paris	Dunkerque	
FRDPE	FR	Dieppe		49.92	1.08	Europe/Paris		
FRFOS	FR	Fos-sur-Mer		43.43	4.93	Europe/Paris	Fos	
FRHGT	FR	Chitry		47.76	3.70	Europe/Paris		
FRHON	FR	Honfleur		46.25	5.13	Europe/Paris		
FRJAV	FR	Javrezac		46.25	5.13	Europe/Paris		
FRLCT	FR	La Ciotat		43.17	5.61	Europe/Paris		
FRLEH	FR	Le Havre		49.49	0.11	Europe/Paris	Havre	
FRLPC	FR	La Planche		47.00	-1.43	Europe/Paris		
FRLPE	FR	La Pallice		46.16	-1.21	Europe/Rome		
FRLRH	FR	La Rochelle		46.16	-1.15	Europe/Paris		
FRLRT	FR	Lorient		47.75	-3.37	Europe/Paris		
FRLTR	FR	Le Tréport		50.06	1.38	Europe/Paris	Le Treport	
FRLVE	FR	Le Verdon-sur-Mer		45.55	-1.07	Europe/Paris		
FRMDH	FR	Mundolsheim		48.64	7.71	Europe/Paris		
FRMRS	FR	Marseille		43.30	5.40	Europe/Paris	Marseilles	
FRMT7	FR	Monteton		44.62	0.26	Europe/Paris		
FRMTX	FR	Montoir-de-Bretagne		47.33	-2.15	Europe/Paris		
FRNTE	FR	Nantes		47.22	-1.55	Europe/Paris		
FROR6	FR	La Groise		50.08	3.68	Europe/Paris		
FRPAR	FR	Paris		48.86	2.35	Europe/Paris		
FRPIR	FR	Piriac-sur-Mer		47.38	-2.55	Europe/Paris		
FRPOV	FR	Port-Vendres		42.52	3.12	Europe/Paris		
FRSET	FR	Sète		43.41	3.70	Europe/Paris	Sete	
FRSNR	FR	Saint-Nazaire		47.28	-2.20	Europe/Paris		
FRTLN	FR	Toulon		43.12	5.93	Europe/Paris		
FRURO	FR	Rouen		49.44	1.10	Europe/Paris		
FRUSJ	FR	Mus		43.95	5.24	Europe/Paris		
GACLZ	GA	Cap Lopez		-0.77	8.78	Africa/Libreville		
GALBV	GA	Libreville		0.42	9.47	Africa/Libreville		
GAOWE	GA	Owendo		0.34	9.48	Africa/Libreville		
GAPOG	GA	Port Gentil		-0.74	8.76	Africa/Libreville		
GBABD	GB	Aberdeen		57.13	-2.10	Europe/London		
GBAVO	GB	Avonmouth		51.50	-2.68	Europe/London		
GBBAD	GB	Barry Dock		51.38	-3.25	Europe/London		
GBBDT	GB	Broadstairs		51.37	1.42	Europe/London		
GBBEL	GB	Belfast		54.98	-5.92	Europe/London		
GBBOC	GB	Burnham on Crouch		51.62	0.83	Europe/London		
GBBOE	GB	Bootle		53.47	-3.02	Europe/London		
GBBOS	GB	Boston		52.98	-0.03	Europe/London		
GBBRK	GB	Birkenhead		53.40	-3.03	Europe/London		
GBBRS	GB	Bristol		51.45	-2.59	Europe/London		
GBBRT	GB	Bridlington		54.08	-0.20	Europe/London		
GBBRW	GB	Bridgwater		51.13	-3.00	Europe/London		
GBCDF	GB	Cardiff		51.50	-3.20	Europe/London		
GBCFG	GB	Carrickfergus		54.73	-5.81	Europe/London		
GBCHD	GB	Charleston		56.60	-3.01	Europe/London		
GBCYN	GB	Cairnryan		54.97	-5.02	Europe/London		
GBDUN	GB	Dundee		56.50	-2.97	Europe/London		
GBDVR	GB	Dover		51.13	1.31	Europe/London		
GBEDI	GB	Edinburgh		55.95	-3.20	Europe/London		
GBEIL	GB	Sheildaig				Europe/London		
GBELL	GB	Ellesmere		53.21	-2.89	Europe/London		
GBEON	GB	Seaton		50.71	-3.07	Europe/London		
GBFAL	GB	Falmouth		50.15	-5.07	Europe/London		
GBFAW	GB	Fawley		50.83	-1.35	Europe/London		
GBFRB	GB	Fraserburgh		57.68	-2.02	Europe/London		
GBFXT	GB	Felixstowe		51.96	1.35	Europe/London		
GBGCI	GB	Guernsey		49.45	-2.59	Europe/Guernsey		
GBGLW	GB	Glasgow		55.83	-4.25	Europe/London		
GBGOO	GB	Goole		53.72	-0.87	Europe/London		
GBGRG	GB	Grangemouth		56.00	-3.72	Europe/London		
GBGRK	GB	Greenock		55.93	-4.75	Europe/London		
GBGSY	GB	Grimsby		53.53	-0.50	Europe/London		
GBGTY	GB	Great Yarmouth		52.60	1.73	Europe/London		
GBGVS	GB	Gravesend		51.44	0.37	Europe/London		
GBHRW	GB	Harwich		51.93	1.26	Europe/London		
GBHUL	GB	Hull		53.73	-0.32	Europe/London	Kingston upon Hull	
GBIMM	GB	Immingham		53.60	-0.22	Europe/London		
GBINK	GB	Inverkeithing		56.03	-3.40	Europe/London		
GBINV	GB	Inverness		57.48	-4.22	Europe/London		
GBIPS	GB	Ipswich		52.06	1.15	Europe/London		
GBIRL	GB	Irlam		53.43	-2.42	Europe/London		
GBKLN	GB	King's Lynn		52.75	0.38	Europe/London		
GBLAN	GB	Lancaster		54.05	-2.80	Europe/London		
GBLGP	GB	London Gateway		51.50	0.48	Europe/London	DP World London Gateway	
GBLIV	GB	Liverpool		53.42	-3.00	Europe/London		
GBLON	GB	London		51.51	-0.13	Europe/London		
GBMAL	GB	Maldon		51.73	0.67	Europe/London		
GBMCD	GB	Macduff		57.67	-2.48	Europe/London		
GBMID	GB	Middlesbrough		54.57	-1.15	Europe/London		
GBMNS	GB	Moaness		58.92	-3.31	Europe/London		
GBMON	GB	Montrose		56.70	-2.45	Europe/London		
GBMRY	GB	Maryport		54.71	-3.49	Europe/London		
GBNCL	GB	Newcastle upon Tyne		54.97	-1.60	Europe/London	Newcastle	
GBNFT	GB	Northfleet		51.44	0.34	Europe/London		
GBNHV	GB	Newhaven		50.79	0.05	Europe/London		
GBNLN	GB	Nelson		53.84	-2.22	Europe/London		
GBNPT	GB	Newport		51.58	-3.03	Europe/London		
GBPDD	GB	Pen-Clawdd				Europe/London		
GBPFT	GB	Purfleet		51.49	0.24	Europe/London		
GBPLY	GB	Plymouth		50.40	-4.12	Europe/London		
GBPME	GB	Portsmouth		50.82	-1.09	Europe/London		
GBPOO	GB	Poole		50.72	-1.99	Europe/London		
GBPRE	GB	Preston		53.75	-2.72	Europe/London		
GBPRU	GB	Portbury		51.47	-2.72	Europe/London		
GBPST	GB	Parkeston Quay		51.94	1.26	Europe/London		
GBQUB	GB	Queenborough		51.42	0.75	Europe/London		
GBRYE	GB	Rye		50.95	0.74	Europe/London		
GBSCA	GB	Scarborough		54.28	-0.40	Europe/London		
GBSHS	GB	Sheerness		51.44	0.76	Europe/London		
GBSOU	GB	Southampton		50.91	-1.40	Europe/London		
GBSOW	GB	Stanlow		52.58	-2.30	Europe/London		
GBSSH	GB	South Shields		54.98	-1.42	Europe/London		
GBSUN	GB	Sunderland		54.90	-1.38	Europe/London		
GBSVT	GB	Silvertown		51.50	0.03	Europe/London		
GBSWA	GB	Swansea		51.63	-3.97	Europe/London		
GBTEE	GB	Teesport		54.58	-1.15	Europe/London		
GBTHP	GB	Thamesport		51.28	0.52	Europe/London		
GBTIL	GB	Tilbury		51.46	0.36	Europe/London		
GBTYN	GB	Tyne		55.00	-1.43	Europe/London		
GBWDN	GB	Widnes		53.35	-2.73	Europe/London		
GBWOR	GB	Workington		54.64	-3.54	Europe/London		
GBYVZ	GB	Stonehouse		51.74	-2.28	Europe/London		
GDSTG	GD	Saint George's		12.06	-61.75	America/Grenada		
GEBUS	GE	Batumi		41.62	41.64	Asia/Tbilisi		
GEPTI	GE	Poti		42.16	41.67	Asia/Tbilisi		
GETBS	GE	Tbilisi		41.72	44.83	Asia/Tbilisi		
GFCAY	GF	Cayenne		4.92	-52.31	America/Cayenne		
GFDDC	GF	Dégrad des Cannes		4.85	-52.27	America/Cayenne	Degrad des Cannes	
GHTEM	GH	Tema		5.71	0.02	Africa/Accra		
GHTKD	GH	Takoradi		4.90	-1.78	Africa/Accra		
GIGIB	GI	Gibraltar		36.14	-5.35	Europe/Gibraltar		
GMBJL	GM	Banjul		13.45	-16.58	Africa/Banjul		
GNCKY	GN	Conakry		9.64	-13.58	Africa/Conakry		
GPBBR	GP	Basse-Terre		16.00	-61.72	America/Guadeloupe		
GPGUS	GP	Gustavia		17.90	-62.85	America/Puerto_Rico		
GPPTP	GP	Pointe-à-Pitre		16.24	-61.53	America/Guadeloupe	Pointe-a-Pitre	
GPSBH	GP	Saint Barthelemy		16.25	-61.53	America/Guadeloupe		
GQBSG	GQ	Bata		1.85	9.78	Africa/Malabo		
GQSSG	GQ	Malabo		3.75	8.74	Africa/Malabo		
GRAST	GR	Astakós		38.53	21.08	Europe/Athens	Astakos	
GREEU	GR	Eleusina		38.03	23.53	Europe/Athens		
GRHER	GR	Heraklion		35.33	25.17	Europe/Athens	Iraklion	
GRKAP	GR	Kapsalion				Europe/Athens	Kythira	
GRPIR	GR	Piraeus		37.93	23.62	Europe/Athens	Pireas|Piraievs|Pireus	
GRRHO	GR	Rhodes		36.43	28.22	Europe/Athens		
GRSKG	GR	Thessaloniki		40.63	22.95	Europe/Athens	Thessaloníki|Salonica|Salonika	
GRVOL	GR	Vólos		39.37	22.95	Europe/Athens	Volos	
GTCHR	GT	Champerico		14.30	-91.92	America/Guatemala		
GTGUA	GT	Guatemala City		14.63	-90.51	America/Guatemala		
GTPBR	GT	Puerto Barrios		15.70	-88.59	America/Guatemala		
GTPRQ	GT	Puerto Quetzal		13.93	-90.76	America/Guatemala		
GTSTC	GT	Puerto Santo Tomás de Castilla		15.70	-88.62	America/Guatemala	Puerto Santo Tomas de Castilla	
GUGUM	GU	Guam		13.44	144.79	Pacific/Guam		
GWOXB	GW	Bissau		11.85	-15.58	Africa/Bissau		
GYGEO	GY	Georgetown		6.80	-58.16	America/Guyana		
HKHKG	HK	Hong Kong		22.40	114.11	Asia/Hong_Kong	HK|Kwai Chung|Xianggang	
HNAMP	HN	Amapala		13.29	-87.65	America/Tegucigalpa		
HNLCE	HN	La Ceiba		15.77	-86.79	America/Tegucigalpa		
HNPCA	HN	Puerto Castilla		16.02	-85.96	America/Tegucigalpa		
HNPCR	HN	Puerto Cortés		15.83	-87.93	America/Tegucigalpa	Puerto Cortes	
HNRTB	HN	Roatán		16.30	-86.55	America/Tegucigalpa	Roatan	
HNSLO	HN	San Lorenzo		13.43	-87.46	America/Tegucigalpa		
HNTEA	HN	Tela		15.77	-87.47	America/Tegucigalpa		
HNTGU	HN	Tegucigalpa				America/Tegucigalpa		
HRDBV	HR	Dubrovnik		42.65	18.08	Europe/Zagreb		
HRLST	HR	Lastovo				Europe/Belgrade		
HRPLE	HR	Ploce		43.05	17.43	Europe/Zagreb		
HRRJK	HR	Rijeka		45.33	14.40	Europe/Zagreb		
HRSPU	HR	Split		43.50	16.45	Europe/Zagreb		
HTCAP	HT	Cap-Haïtien		19.75	-72.20	America/Port-au-Prince	Cap-Haitien	
HTPAP	HT	Port-au-Prince		18.59	-72.31	America/Port-au-Prince		
HUBUD	HU	Budapest		47.50	19.04	Europe/Budapest		
IDAMA	ID	Amamapare		-4.87	136.80	Asia/Jayapura		
IDBDJ	ID	Banjarmasin		-3.32	114.59	Asia/Makassar		
IDBIT	ID	Bitung		1.13	124.63	Asia/Makassar		
IDBLW	ID	Belawan		3.78	98.69	Asia/Jakarta		
IDBNT	ID	Belanak Terminal		0.29	101.71	Asia/Jakarta		
IDBPN	ID	Balikpapan		-1.28	116.83	Asia/Makassar		
IDBTM	ID	Batam Island		1.08	104.03	Asia/Jakarta		
IDBUN	ID	Buatan		0.74	101.82	Asia/Jakarta		
IDBUR	ID	Batu Ampal		-1.25	116.86	Asia/Makassar		
IDCIG	ID	Cigading		-6.01	105.99	Asia/Jakarta		
IDDJB	ID	Jambi		-1.61	103.61	Asia/Jakarta		
IDDJJ	ID	Jayapura		-2.59	140.67	Asia/Jayapura		
IDJKT	ID	Jakarta		-6.13	106.83	Asia/Jakarta		
IDKAB	ID	Kabil		1.05	104.13	Asia/Jakarta		
IDLBM	ID	Lobam		1.00	104.27	Asia/Jakarta		
IDMAK	ID	Makassar		-5.12	119.40	Asia/Makassar		
IDMES	ID	Medan		3.60	98.67	Asia/Jakarta		
IDMRK	ID	Merak		-5.93	106.01	Asia/Jakarta		
IDPDG	ID	Padang		-0.95	100.35	Asia/Jakarta		
IDPJG	ID	Panjang	Lampung	-5.46	105.32	Asia/Jakarta	Lampung, Sumatra	
IDPKU	ID	Pekanbaru		0.51	101.45	Asia/Jakarta		
IDPLM	ID	Palembang		-2.98	104.78	Asia/Jakarta		
IDPNJ	ID	Panjang	Lampung	-5.46	105.32	Asia/Jakarta		
IDPNK	ID	Pontianak		-0.03	109.34	Asia/Jakarta		
IDPWG	ID	Perawang		0.63	101.62	Asia/Jakarta		
IDSEQ	ID	Sungai Pakning		1.35	102.08	Asia/Jakarta		
IDSRG	ID	Semarang		-6.97	110.48	Asia/Jakarta		
IDSRI	ID	Samarinda		-0.49	117.14	Asia/Makassar		
IDSUB	ID	Surabaya		-7.23	112.75	Asia/Jakarta		
IDTAB	ID	Taboneo		-3.68	114.42	Asia/Makassar		
IDTBG	ID	Teluk Betung		-5.45	105.27	Asia/Jakarta		
IDTPP	ID	Tanjung Priok		-6.13	106.87	Asia/Jakarta	Tg Priok|Tanjung Priok Jakarta	
IDTTI	ID	Tebingtinggi		3.33	99.16	Asia/Jakarta		
IDUPG	ID	Ujung Pandang		-5.08	119.55	Asia/Makassar		
IEDRO	IE	Drogheda		53.72	-6.36	Europe/Dublin		
IEDUB	IE	Dublin		53.35	-6.26	Europe/Dublin		
IEFOV	IE	Foynes		52.61	-9.11	Europe/Dublin		
IEGWY	IE	Galway		53.27	-9.06	Europe/Dublin		
IEKLN	IE	Kinsale		51.71	-8.52	Europe/Dublin		
IEORK	IE	Cork		51.90	-8.49	Europe/Dublin		
IEWAT	IE	Waterford		52.25	-7.10	Europe/Dublin		
ILASH	IL	Ashdod		31.80	34.66	Asia/Jerusalem		
ILHAD	IL	Hadera		32.43	34.92	Asia/Jerusalem		
ILHFA	IL	Haifa		32.79	34.99	Asia/Jerusalem		
ILNAT	IL	Netanya		32.33	34.87	Asia/Jerusalem		
ILRMG	IL	Ramat Gan		32.08	34.80	Asia/Jerusalem		
ILTLV	IL	Tel Aviv-Yafo		32.05	34.75	Asia/Jerusalem		
INAGR	IN	Agra		27.18	78.01	Asia/Calcutta		
INAMD	IN	Ahmedabad		23.03	72.62	Asia/Calcutta		
INBLR	IN	Bangalore		12.98	77.58	Asia/Calcutta		
INBOM	IN	Mumbai		18.97	72.82	Asia/Calcutta	Bombay	
INCCU	IN	Kolkata		22.57	88.35	Asia/Calcutta	Calcutta	
INCDL	IN	Cuddalore		11.74	79.77	Asia/Calcutta		
INCJB	IN	Coimbatore		11.02	76.96	Asia/Calcutta		
INCOK	IN	Cochin		9.97	76.23	Asia/Calcutta	Kochi	
INDAM	IN	Daman		20.40	72.83	Asia/Calcutta		
INDRI	IN	Dadri		28.57	77.55	Asia/Calcutta		
INGOI	IN	Goa		15.30	74.12	Asia/Calcutta		
INHAL	IN	Haldia		22.07	88.07	Asia/Calcutta		
INHYD	IN	Hyderabad		15.13	79.18	Asia/Calcutta		
INHZA	IN	Hazira		21.10	72.63	Asia/Kolkata		
INICD	IN	New Delhi		28.60	77.20	Asia/Calcutta		
INIXE	IN	Mangalore		12.91	74.86	Asia/Calcutta		
INIXY	IN	Kandla		23.03	70.22	Asia/Calcutta		
INJAI	IN	Jaipur		26.92	75.82	Asia/Calcutta		
INJDH	IN	Jodhpur		26.25	73.03	Asia/Calcutta		
INKAK	IN	Kakinada		16.99	82.25	Asia/Calcutta		
INKNU	IN	Kanpur		26.45	80.33	Asia/Calcutta		
INKRI	IN	Krishnapatnam		14.29	80.12	Asia/Calcutta		
INLUH	IN	Ludhiana		30.90	75.86	Asia/Calcutta		
INMAA	IN	Chennai		13.08	80.28	Asia/Calcutta	Madras	
INMOR	IN	Moradabad		28.83	78.78	Asia/Calcutta		
INMRM	IN	Marmagao		15.40	73.78	Asia/Calcutta	Marmugao	
INMUN	IN	Mundra		22.84	69.72	Asia/Calcutta		
INNAG	IN	Nagpur		21.15	79.09	Asia/Calcutta		
INNSA	IN	Nhava Sheva		18.95	72.95	Asia/Calcutta	Jawaharlal Nehru|JNPT|JNPA|Nava Sheva	
INPAP	IN	Panipat		29.39	76.96	Asia/Calcutta		
INPAV	IN	Pipavav		20.97	71.55	Asia/Calcutta	Victor	
INPIR	IN	Pithampur		22.61	75.68	Asia/Calcutta		
INPNQ	IN	Pune		18.52	73.86	Asia/Calcutta		
INSTV	IN	Surat		21.17	72.83	Asia/Calcutta		
INTUT	IN	Tuticorin		8.78	78.13	Asia/Calcutta	Thoothukudi	
INVTZ	IN	Visakhapatnam		17.70	83.30	Asia/Calcutta	Vizag	
INVVA	IN	Veraval		20.92	70.36	Asia/Calcutta		
IQUQR	IQ	Umm Qasr		30.03	47.93	Asia/Baghdad		
IRBKM	IR	Bandar Khomeini		30.43	49.10	Asia/Tehran		
IRBND	IR	Bandar Abbas		27.18	56.27	Asia/Tehran		
IRBUZ	IR	Bushehr		28.97	50.83	Asia/Tehran		
IRKHO	IR	Khorramshahr		30.43	48.19	Asia/Tehran		
IRZBR	IR	Chah Bahar		25.30	60.65	Asia/Tehran		
ISESK	IS	Eskifjordur - hofn		65.07	-14.01	Africa/Abidjan		
ISGRT	IS	Grundartangi		64.36	-21.78	Atlantic/Reykjavik		
ISREY	IS	Reykjavík		64.15	-21.95	Atlantic/Reykjavik	Reykjavik	
ITAOI	IT	Ancona		43.63	13.50	Europe/Rome		
ITAUG	IT	Augusta		37.22	15.22	Europe/Rome		
ITBRI	IT	Bari		41.13	16.85	Europe/Rome		
ITCAG	IT	Cagliari		39.22	9.12	Europe/Rome		
ITCRV	IT	Crotone		39.08	17.13	Europe/Rome		
ITCTA	IT	Catania		37.50	15.10	Europe/Rome		
ITCVV	IT	Civitavecchia		42.10	11.80	Europe/Rome		
ITFAE	IT	Faenza		44.29	11.88	Europe/Rome		
ITGAE	IT	Gaeta		41.20	13.58	Europe/Rome		
ITGIT	IT	Gioia Tauro		38.42	15.90	Europe/Rome		
ITGOA	IT	Genoa		44.42	8.95	Europe/Rome	Genova|Genua|Gênes	
ITLIV	IT	Livorno		43.55	10.32	Europe/Rome	Leghorn	
ITMIL	IT	Milano		45.47	9.19	Europe/Rome		
ITMNF	IT	Monfalcone		45.81	13.53	Europe/Rome		
ITMOD	IT	Modena		44.65	10.93	Europe/Rome		
ITNAP	IT	Naples		40.83	14.25	Europe/Rome	Napoli|Neapel	
ITPDA	IT	Padova		45.41	11.88	Europe/Rome		
ITPES	IT	Pesaro		43.90	12.92	Europe/Rome		
ITPGA	IT	Porto Garibaldi		44.68	12.24	Europe/Rome		
ITPMO	IT	Palermo		38.12	13.37	Europe/Rome		
ITPRJ	IT	Capri		40.55	14.23	Europe/Rome		
ITPSR	IT	Pescara		42.47	14.23	Europe/Rome		
ITPVE	IT	Portoscuso		39.20	8.38	Europe/Rome	Porto Vesme	
ITRAN	IT	Ravenna		44.42	12.20	Europe/Rome		
ITSAL	IT	Salerno		40.68	14.77	Europe/Rome		
ITSPE	IT	La Spezia		44.12	9.83	Europe/Rome	Spezia	
ITSVN	IT	Savona		44.28	8.50	Europe/Rome		
ITTAR	IT	Taranto		40.48	17.23	Europe/Rome		
ITTPS	IT	Trapani		38.02	12.48	Europe/Rome		
ITTRN	IT	Torino		45.07	7.69	Europe/Rome		
ITTRS	IT	Trieste		45.65	13.78	Europe/Rome	Triest	
ITVCE	IT	Venice		45.43	12.33	Europe/Rome	Venezia|Venedig|Marghera	
ITVDL	IT	Vado Ligure		44.27	8.45	Europe/Rome		
ITVIA	IT	Viareggio		43.87	10.25	Europe/Rome		
JMKIN	JM	Kingston		18.04	-76.80	America/Jamaica		
JMMBJ	JM	Montego Bay		18.48	-77.89	America/Jamaica		
JMOCJ	JM	Ocho Rios		18.41	-77.10	America/Jamaica		
JMPKS	JM	Port Kaiser		17.89	-77.13	America/Jamaica		
JOAQJ	JO	Aqaba		29.53	35.00	Asia/Amman	Al 'Aqabah|Al Aqaba	
JPABU	JP	Aburatsu		31.58	131.40	Asia/Tokyo		
JPAOJ	JP	Aomori		40.82	140.75	Asia/Tokyo		
JPAXT	JP	Akita		39.72	140.10	Asia/Tokyo		
JPCHB	JP	Chiba		35.61	140.11	Asia/Tokyo		
JPFKY	JP	Fukuyama		34.49	133.36	Asia/Tokyo		
JPHHE	JP	Hachinohe		40.51	141.49	Asia/Tokyo		
JPHIB	JP	Hibi		34.46	133.92	Asia/Tokyo		
JPHIC	JP	Hitachinaka		36.40	140.53	Asia/Tokyo		
JPHIJ	JP	Hiroshima		34.39	132.46	Asia/Tokyo		
JPHIM	JP	Himeji		34.82	134.69	Asia/Tokyo		
JPHIS	JP	Hikoshima				Asia/Tokyo		
JPHKD	JP	Hakodate		41.77	140.73	Asia/Tokyo		
JPHKT	JP	Hakata		33.60	130.42	Asia/Tokyo	Fukuoka	
JPHMD	JP	Hamada		34.90	132.08	Asia/Tokyo		
JPHMM	JP	Hamamatsu		34.71	137.73	Asia/Tokyo		
JPHSM	JP	Hososhima		32.43	131.67	Asia/Tokyo		
JPHTC	JP	Hitachi		36.60	140.65	Asia/Tokyo		
JPIHA	JP	Niihama		33.96	133.28	Asia/Tokyo		
JPIMB	JP	Imabari		34.07	133.00	Asia/Tokyo		
JPIMI	JP	Imari		33.26	129.88	Asia/Tokyo		
JPISG	JP	Ishigaki		24.33	124.15	Asia/Tokyo		
JPISI	JP	Ishikari		43.17	141.32	Asia/Tokyo		
JPISM	JP	Ishinomaki		38.43	141.30	Asia/Tokyo		
JPISS	JP	Isa		32.05	130.60	Asia/Tokyo		
JPIWK	JP	Iwakuni		34.17	132.22	Asia/Tokyo		
JPIYM	JP	Iyomishima		33.84	132.77	Asia/Tokyo		
JPKCZ	JP	Kochi		33.56	133.53	Asia/Tokyo		
JPKGA	JP	Kakogawa		34.76	134.84	Asia/Tokyo		
JPKIJ	JP	Niigata		37.92	139.04	Asia/Tokyo		
JPKMJ	JP	Kumamoto		32.80	130.71	Asia/Tokyo		
JPKND	JP	Kanda		33.59	130.40	Asia/Tokyo		
JPKNU	JP	Kinuura		35.18	136.91	Asia/Tokyo		
JPKNZ	JP	Kanazawa		36.56	136.66	Asia/Tokyo		
JPKOJ	JP	Kagoshima		31.60	130.56	Asia/Tokyo		
JPKRE	JP	Kure		34.25	132.57	Asia/Tokyo		
JPKSM	JP	Kashima		35.97	140.64	Asia/Tokyo		
JPKUH	JP	Kushiro		42.98	144.38	Asia/Tokyo		
JPKWS	JP	Kawasaki		35.53	139.70	Asia/Tokyo		
JPKZU	JP	Kisarazu		35.61	140.11	Asia/Tokyo		
JPMAI	JP	Maizuru		35.01	135.77	Asia/Tokyo		
JPMII	JP	Miike		33.05	130.48	Asia/Tokyo		
JPMOJ	JP	Moji		33.90	130.97	Asia/Tokyo		
JPMTR	JP	Mutsure				Asia/Tokyo		
JPMUR	JP	Muroran		42.32	140.97	Asia/Tokyo		
JPMYJ	JP	Matsuyama		33.84	132.77	Asia/Tokyo		
JPNAH	JP	Naha		26.21	127.68	Asia/Tokyo		
JPNAN	JP	Nakanoseki		34.00	131.53	Asia/Tokyo		
JPNAO	JP	Naoetsu		37.19	138.26	Asia/Tokyo		
JPNAS	JP	Naoshima		34.46	134.00	Asia/Tokyo		
JPNGO	JP	Nagoya		35.18	136.91	Asia/Tokyo		
JPNGS	JP	Nagasaki		32.75	129.88	Asia/Tokyo		
JPOIT	JP	Oita		33.24	131.61	Asia/Tokyo		
JPOKA	JP	Okinawa		26.33	127.81	Asia/Tokyo		
JPOMZ	JP	Omaezaki		34.64	138.13	Asia/Tokyo		
JPONA	JP	Onahama		36.95	140.91	Asia/Tokyo		
JPONO	JP	Onomichi		34.41	133.20	Asia/Tokyo		
JPOSA	JP	Osaka		34.67	135.50	Asia/Tokyo		
JPOTK	JP	Otake		34.24	132.22	Asia/Tokyo		
JPSAG	JP	Saganoseki		33.25	131.88	Asia/Tokyo		
JPSBS	JP	Shibushi		31.50	131.05	Asia/Tokyo		
JPSDJ	JP	Sendai		38.13	140.92	Asia/Tokyo		
JPSDS	JP	Sendaishinko		38.27	140.87	Asia/Tokyo		
JPSDU	JP	Sodegaura		35.61	140.11	Asia/Tokyo		
JPSEN	JP	Satsumasendai		31.82	130.25	Asia/Tokyo		
JPSHS	JP	Shimonoseki		33.96	130.94	Asia/Tokyo		
JPSKD	JP	Sakaide		34.32	133.86	Asia/Tokyo		
JPSKM	JP	Shikama		34.69	135.18	Asia/Tokyo		
JPSKT	JP	Sakata		38.91	139.84	Asia/Tokyo		
JPSMA	JP	Souma		37.80	140.92	Asia/Tokyo		
JPSMN	JP	Sakaiminato		35.54	133.23	Asia/Tokyo		
JPSMZ	JP	Shimizu		35.02	138.49	Asia/Tokyo		
JPTAK	JP	Takamatsu		34.34	134.05	Asia/Tokyo		
JPTBT	JP	Tobata		33.88	130.83	Asia/Tokyo		
JPTGO	JP	Tagonoura		34.98	138.38	Asia/Tokyo		
JPTHS	JP	Toyohashi		35.18	136.91	Asia/Tokyo		
JPTKS	JP	Tokushima		34.07	134.55	Asia/Tokyo		
JPTKY	JP	Tokuyama		34.06	131.81	Asia/Tokyo		
JPTMI	JP	Tsukumi		33.07	131.86	Asia/Tokyo		
JPTMK	JP	Tomakomai		42.63	141.61	Asia/Tokyo		
JPTND	JP	Tonda		34.07	131.76	Asia/Tokyo		
JPTOK	JP	Tokachi		42.91	143.69	Asia/Tokyo		
JPTOS	JP	Toyamashinko		36.70	137.21	Asia/Tokyo		
JPTOY	JP	Toyama		36.70	137.21	Asia/Tokyo		
JPTRG	JP	Tsuruga		35.65	136.06	Asia/Tokyo		
JPTYO	JP	Tokyo		35.68	139.75	Asia/Tokyo		
JPUBJ	JP	Ube		33.95	131.25	Asia/Tokyo		
JPUKB	JP	Kobe		34.68	135.17	Asia/Tokyo		
JPUNT	JP	Unten		26.68	128.00	Asia/Tokyo		
JPWAK	JP	Wakayama		34.23	135.17	Asia/Tokyo		
JPYAT	JP	Yatsushiro		32.51	130.60	Asia/Tokyo		
JPYKK	JP	Yokkaichi		34.97	136.62	Asia/Tokyo		
JPYOK	JP	Yokohama		35.45	139.65	Asia/Tokyo		
JPYOS	JP	Yokosuka		35.28	139.67	Asia/Tokyo		
JPYWT	JP	Yawata		33.85	130.80	Asia/Tokyo		
KEMBA	KE	Mombasa		-4.04	39.67	Africa/Nairobi		
KENBO	KE	Nairobi		-1.29	36.82	Africa/Nairobi		
KHKOS	KH	Sihanoukville		10.60	103.52	Asia/Phnom_Penh	Kâmpóng Saôm|Kampong Saom|Kompong Som|Kampong Som	
KHPNH	KH	Phnom Penh		11.54	104.89	Asia/Phnom_Penh		
KITRW	KI	Tarawa		1.33	172.98	Pacific/Tarawa		
KMMUT	KM	Mutsamudu		-12.15	44.38	Indian/Comoro		
KMYVA	KM	Moroni		-11.72	43.25	Indian/Comoro		
KNBAS	KN	Basseterre		17.30	-62.72	America/St_Kitts		
KNNEV	KN	Nevis		17.15	-62.58	America/St_Kitts		
KPCHO	KP	Chongjin		41.77	129.72	Asia/Pyongyang		
KPWON	KP	Wonsan		39.15	127.45	Asia/Pyongyang		
KRCHA	KR	Jeju		33.50	126.52	Asia/Seoul		
KRCHF	KR	Jinhae		35.13	128.65	Asia/Seoul		
KRCHG	KR	Janghang		36.00	126.68	Asia/Seoul		
KRCHO	KR	Cheonan		36.80	127.15	Asia/Seoul		
KRCHU	KR	Chungju		36.97	127.92	Asia/Seoul		
KRCHW	KR	Changwon		35.22	128.67	Asia/Seoul		
KRCWO	KR	Cheongwon-gun		36.63	127.48	Asia/Seoul		
KRGYG	KR	Goyang		37.65	126.82	Asia/Seoul		
KRHIN	KR	Jinju		35.17	128.08	Asia/Seoul		
KRHYG	KR	Hamyang-gun		35.52	127.72	Asia/Seoul		
KRHYP	KR	Hyeonpoong		35.68	128.43	Asia/Seoul		
KRICH	KR	Incheon	Incheon	37.48	126.62	Asia/Seoul		
KRINC	KR	Incheon	Incheon Gwang'yeogsi [Incheon]	37.45	126.62	Asia/Seoul	Inchon	
KRJEO	KR	Jeongeup		35.57	126.85	Asia/Seoul		
KRJGE	KR	Geoje	Gyeongsangnamdo [Kyongsangnam-do]	34.90	128.68	Asia/Seoul		
KRJHG	KR	Jangheung-gun		34.67	126.90	Asia/Seoul		
KRKAN	KR	Gwangyang		34.93	127.70	Asia/Seoul	Kwangyang	
KRKJE	KR	Geoje	Gyeongsangnamdo [Kyongsangnam-do]	34.85	128.58	Asia/Seoul		
KRKMC	KR	Gimcheon		36.12	128.10	Asia/Seoul		
KRKPO	KR	Pohang		36.03	129.37	Asia/Seoul		
KRKUM	KR	Gumi		36.12	128.33	Asia/Seoul		
KRKUV	KR	Gunsan		35.98	126.72	Asia/Seoul		
KRKWJ	KR	Gwangju	Gwangju Gwang'yeogsi [Kwangju-Kwangyokshi]	35.15	126.90	Asia/Seoul		
KRKWU	KR	Gwangju	Gyeonggido [Kyonggi-do]	37.40	127.25	Asia/Seoul		
KRMAS	KR	Masan		35.20	128.57	Asia/Seoul		
KRMOK	KR	Mokpo		34.80	126.38	Asia/Seoul		
KRNYJ	KR	Namyang		34.72	127.33	Asia/Seoul		
KRNYU	KR	Namyangju		37.63	127.20	Asia/Seoul		
KROKP	KR	Okpo		34.88	128.70	Asia/Seoul		
KRONS	KR	Onsan		35.43	129.35	Asia/Seoul		
KRPUS	KR	Busan		35.13	129.05	Asia/Seoul	Pusan|Busan New Port	
KRSCP	KR	Samcheonpo		34.92	128.07	Asia/Seoul		
KRSEL	KR	Seoul		37.52	126.93	Asia/Seoul		
KRSSA	KR	Seosan		36.78	126.45	Asia/Seoul		
KRTAE	KR	Daegu		35.87	128.58	Asia/Seoul		
KRTJN	KR	Daejeon		36.32	127.42	Asia/Seoul		
KRTYG	KR	Tongyeong		34.83	128.42	Asia/Seoul		
KRUSN	KR	Ulsan		35.53	129.32	Asia/Seoul		
KRYES	KR	Yesan		36.68	126.83	Asia/Seoul		
KRYOS	KR	Yeosu		34.75	127.72	Asia/Seoul		
KWKWI	KW	Kuwait		29.38	47.98	Asia/Kuwait		
KWSAA	KW	Shuaiba		29.03	48.13	Asia/Kuwait		
KWSWK	KW	Shuwaikh		29.37	47.97	Asia/Kuwait		
KYGCM	KY	Grand Cayman		19.28	-81.35	America/Cayman		
KYGEC	KY	Georgetown		19.30	-81.38	America/Cayman		
LBBEY	LB	Beirut		33.83	35.48	Asia/Beirut	Beyrouth	
LBKYE	LB	Tripoli		34.44	35.83	Asia/Beirut		
LCCAS	LC	Castries		14.02	-60.97	America/St_Lucia		
LCSLU	LC	Saint Lucia		13.70	-60.93	America/Puerto_Rico		
LCVIF	LC	Vieux Fort		13.72	-60.95	America/St_Lucia		
LKCMB	LK	Colombo		6.92	79.85	Asia/Colombo		
LRMLW	LR	Monrovia		6.30	-10.80	Africa/Monrovia		
LTKLJ	LT	Klaipeda		55.70	21.14	Europe/Vilnius	Memel	
LVAIZ	LV	Aizkraukle		57.69	25.28	Europe/Riga		
LVRIX	LV	Riga		56.96	24.09	Europe/Riga		
LVSAL	LV	Salacgriva		57.71	24.49	Europe/Riga		
LVVNT	LV	Ventspils		57.28	21.86	Europe/Riga		
LYBEN	LY	Benghazi		32.09	20.19	Africa/Tripoli	Bingazi	
LYKHO	LY	Al Khums		32.65	14.27	Africa/Tripoli		
LYMRA	LY	Misurata		32.32	15.10	Africa/Tripoli		
LYTIP	LY	Tripoli		32.89	13.19	Africa/Tripoli		
MAAGA	MA	Agadir		30.43	-9.60	Africa/Casablanca		
MACAS	MA	Casablanca		33.58	-7.60	Africa/Casablanca		
MAELJ	MA	El Jadida		33.25	-8.50	Africa/Casablanca		
MAMOH	MA	Mohammedia		33.68	-7.38	Africa/Casablanca		
MANNA	MA	Kenitra		34.25	-6.59	Africa/Casablanca	Port Lyautey	
MAPTM	MA	Tanger Med		35.74	-5.79	Africa/Casablanca	Tangier Med|Tangiers Med|Tanger Mediterranee|TangerMed	
MASFI	MA	Safi		32.30	-9.23	Africa/Casablanca		
MATNG	MA	Tangier		35.78	-5.82	Africa/Casablanca	Tanger|Tangiers	
MCMON	MC	Monaco		43.74	7.42	Europe/Monaco		
MDGIU	MD	Giurgiulesti		45.47	28.18	Europe/Bucharest		
MEBAR	ME	Bar		42.08	19.08	Europe/Podgorica		
MGDIE	MG	Antsiranana		-12.32	49.29	Indian/Antananarivo		
MGEHL	MG	Ehoala		-25.10	46.95	Indian/Antananarivo		
MGMJN	MG	Majunga		-15.69	46.33	Indian/Antananarivo	Mahajanga	
MGNOS	MG	Nosy-Be		-13.33	48.25	Indian/Antananarivo		
MGTLE	MG	Tulear		-23.35	43.69	Indian/Antananarivo	Toliara	
MGTMM	MG	Toamasina	Toamasina	-18.14	49.40	Indian/Antananarivo	Tamatave	
MGTOA	MG	Toamasina	Toamasina	-18.14	49.40	Indian/Antananarivo		
MHMAJ	MH	Majuro		7.10	171.38	Pacific/Majuro		
MLBKO	ML	Bamako		12.64	-8.00	Africa/Bamako		
MMRGN	MM	Yangon		16.87	96.20	Asia/Rangoon	Rangoon	
MOMFM	MO	Macau		22.20	113.53	Asia/Macau	Macao	
MPSPN	MP	Saipan		15.18	145.75	Pacific/Saipan		
MQFDF	MQ	Fort-de-France		14.62	-61.06	America/Martinique		
MRNDB	MR	Nouadhibou		20.94	-17.04	Africa/Nouakchott		
MRNKC	MR	Nouakchott		18.07	-15.96	Africa/Nouakchott		
MTMAR	MT	Marsaxlokk		35.83	14.53	Europe/Malta	Malta Freeport	
MTMGZ	MT	Mgarr		35.89	14.42	Europe/Malta		
MTMLA	MT	Valletta		35.88	14.50	Europe/Malta		
MUPLU	MU	Port Louis		-20.17	57.50	Indian/Mauritius		
MVMLE	MV	Male		4.17	73.50	Indian/Maldives		
MWBLZ	MW	Blantyre		-15.77	35.02	Africa/Blantyre		
MXACA	MX	Acapulco		16.85	-99.87	America/Mexico_City		
MXATM	MX	Altamira		22.40	-97.92	America/Mexico_City		
MXCOA	MX	Coatzacoalcos		18.13	-94.40	America/Mexico_City		
MXESE	MX	Ensenada		31.85	-116.60	America/Tijuana		
MXGYM	MX	Guaymas		27.92	-110.88	America/Hermosillo		
MXLZC	MX	Lázaro Cárdenas		17.95	-102.18	America/Mexico_City	Lazaro Cardenas	
MXMEX	MX	Ciudad de México		19.43	-99.13	America/Mexico_City	Ciudad de Mexico	
MXPGO	MX	Progreso		21.27	-89.65	America/Mexico_City		
MXPMS	MX	Puerto Morelos		20.83	-86.87	America/Cancun		
MXREX	MX	Reynosa		26.08	-98.28	America/Matamoros		
MXSCX	MX	Salina Cruz		16.17	-95.18	America/Mexico_City		
MXTAM	MX	Tampico		22.25	-97.87	America/Mexico_City		
MXTPB	MX	Topolobampo		25.60	-109.05	America/Mazatlan		
MXVER	MX	Veracruz		19.20	-96.08	America/Mexico_City		
MXZLO	MX	Manzanillo		19.05	-104.30	America/Mexico_City		
MYBKI	MY	Kota Kinabalu		5.98	116.07	Asia/Kuala_Lumpur		
MYBTU	MY	Bintulu		3.17	113.04	Asia/Kuala_Lumpur		
MYBWH	MY	Bagan Luar		5.41	100.37	Asia/Kuala_Lumpur	Butterworth	
MYJHB	MY	Johor Bahru		1.49	103.74	Asia/Kuala_Lumpur		
MYKCH	MY	Kuching		1.61	110.38	Asia/Kuala_Lumpur		
MYKUA	MY	Kuantan		3.96	103.43	Asia/Kuala_Lumpur	Tanjong Gelang	
MYLBU	MY	Labuan		5.28	115.23	Asia/Kuala_Lumpur		
MYMEP	MY	Mersing		2.43	103.84	Asia/Kuala_Lumpur		
MYMKZ	MY	Malacca		2.19	102.25	Asia/Kuala_Lumpur		
MYMUA	MY	Muar		2.06	102.58	Asia/Kuala_Lumpur		
MYMYY	MY	Miri		4.40	113.99	Asia/Kuala_Lumpur		
MYPEN	MY	Penang		5.42	100.32	Asia/Kuala_Lumpur	Georgetown	
MYPGU	MY	Pasir Gudang		1.47	103.90	Asia/Kuala_Lumpur		
MYPKG	MY	Port Klang		3.00	101.40	Asia/Kuala_Lumpur	Pelabuhan Klang|Klang|Port Kelang|PKG	
MYSBW	MY	Sibu		2.29	111.83	Asia/Kuala_Lumpur		
MYSDK	MY	Sandakan		5.84	118.12	Asia/Kuala_Lumpur		
MYTBA	MY	Tanjong Baran		4.59	113.98	Asia/Kuala_Lumpur		
MYTGG	MY	Kuala Terengganu		5.33	103.14	Asia/Kuala_Lumpur		
MYTPP	MY	Tanjung Pelepas		1.37	103.55	Asia/Kuala_Lumpur	PTP|Tg Pelepas	
MYTWU	MY	Tawau		4.24	117.89	Asia/Kuala_Lumpur		
MYWSP	MY	Westport		2.95	101.30	Asia/Kuala_Lumpur		
MZBEW	MZ	Beira		-19.80	34.88	Africa/Maputo		
MZMNC	MZ	Nacala		-14.57	40.69	Africa/Maputo		
MZMPM	MZ	Maputo		-25.89	32.61	Africa/Maputo		
MZPOL	MZ	Pemba		-12.97	40.52	Africa/Maputo		
MZUEL	MZ	Quelimane		-17.85	36.92	Africa/Maputo		
NALUD	NA	Lüderitz		-26.65	15.17	Africa/Windhoek	Luderitz	
NAWVB	NA	Walvis Bay		-22.94	14.52	Africa/Windhoek		
NCNOU	NC	Nouméa		-22.27	166.45	Pacific/Noumea	Noumea	
NGAPP	NG	Apapa		6.46	3.36	Africa/Lagos		
NGCBQ	NG	Calabar		4.98	8.34	Africa/Lagos		
NGLOS	NG	Lagos		6.52	3.38	Africa/Lagos		
NGONN	NG	Onne		4.72	7.15	Africa/Lagos		
NGPHC	NG	Port Harcourt		4.82	7.05	Africa/Lagos		
NGTIN	NG	Tin Can		6.43	3.34	Africa/Lagos	Tincan|Tin Can Island	
NGWAR	NG	Warri		5.55	5.79	Africa/Lagos		
NICIO	NI	Corinto		12.49	-87.18	America/Managua		
NIMGA	NI	Managua		12.11	-86.24	America/Managua		
NLALK	NL	Alkmaar		52.63	4.75	Europe/Amsterdam		
NLAMS	NL	Amsterdam		52.37	4.90	Europe/Amsterdam		
NLBZM	NL	Bergen op Zoom		51.50	4.30	Europe/Amsterdam		
NLDOR	NL	Dordrecht		51.81	4.69	Europe/Amsterdam		
NLEEM	NL	Eemshaven		53.44	6.84	Europe/Amsterdam		
NLGRQ	NL	Groningen		53.22	6.57	Europe/Amsterdam		
NLHVH	NL	Hoek van Holland		51.98	4.13	Europe/Amsterdam		
NLIJM	NL	IJmuiden		52.47	4.60	Europe/Amsterdam		
NLMOE	NL	Moerdijk		51.70	4.63	Europe/Amsterdam		
NLRTM	NL	Rotterdam		51.92	4.50	Europe/Amsterdam	Maasvlakte|Europoort	
NLTNZ	NL	Terneuzen		51.33	3.83	Europe/Amsterdam		
NLVEL	NL	Velsen		52.45	4.63	Europe/Amsterdam		
NLVLA	NL	Vlaardingen		51.91	4.35	Europe/Amsterdam		
NLVLI	NL	Vlissingen		51.45	3.57	Europe/Amsterdam	Flushing|Vlissingen-Oost	
NLZAA	NL	Zaandam		52.44	4.83	Europe/Amsterdam		
NLZEW	NL	Zeewolde		52.35	5.55	Europe/Amsterdam		
NOAAV	NO	Ålvik		60.42	6.42	Europe/Oslo	Alvik	
NOAES	NO	Ålesund		62.47	6.15	Europe/Oslo	Alesund	
NOAGO	NO	Ågotnes		60.40	5.02	Europe/Oslo	Agotnes	
NOAND	NO	Åndalsnes		62.57	7.70	Europe/Oslo	Andalsnes	
NOASV	NO	Austevoll		60.10	5.15	Europe/Oslo		
NOBGO	NO	Bergen		60.38	5.32	Europe/Oslo		
NOBOO	NO	Bodo		67.28	14.37	Europe/Oslo		
NOBVK	NO	Brevik		59.05	9.70	Europe/Oslo		
NODRM	NO	Drammen		59.73	10.23	Europe/Oslo		
NOEGD	NO	Eigersund		58.37	5.90	Europe/Oslo		
NOFKG	NO	Frekhaug		60.51	5.24	Europe/Oslo		
NOFRK	NO	Fredrikstad		59.20	10.92	Europe/Oslo		
NOFRO	NO	Floro		61.60	5.02	Europe/Oslo		
NOFUS	NO	Fusa		60.20	5.62	Europe/Oslo		
NOGJM	NO	Gjemnes		62.95	7.76	Europe/Oslo		
NOHAL	NO	Halden		59.10	11.37	Europe/Oslo		
NOHAU	NO	Haugesund		59.40	5.25	Europe/Oslo		
NOHES	NO	Hestvika		63.56	9.19	Europe/Oslo		
NOHLA	NO	Holla		59.60	9.18	Europe/Oslo		
NOHOG	NO	Hogset		67.13	15.02	Europe/Oslo		
NOHOY	NO	Husoy - Tonsberg		59.23	10.45	Europe/Oslo		
NOHRI	NO	Hareid		62.37	6.03	Europe/Oslo		
NOHRY	NO	Heroya		59.12	9.62	Europe/Oslo		
NOHUS	NO	Husnes		59.87	5.77	Europe/Oslo		
NOHVI	NO	Håvik		59.30	5.32	Europe/Oslo	Havik	
NOIKR	NO	Ikornnes		62.38	6.55	Europe/Oslo		
NOKMY	NO	Karmoy		59.28	5.26	Europe/Oslo		
NOKRS	NO	Kristiansand		58.13	7.98	Europe/Oslo		
NOKRV	NO	Knarrevik		60.37	5.15	Europe/Oslo		
NOKSU	NO	Kristiansund		63.10	7.73	Europe/Oslo		
NOLAR	NO	Larvik		59.03	10.02	Europe/Oslo		
NOLND	NO	Lyngdal		58.14	7.07	Europe/Oslo		
NOMAY	NO	Maloy		61.93	5.10	Europe/Oslo		
NOMOL	NO	Molde		62.73	7.15	Europe/Oslo		
NOMON	NO	Mongstad		60.82	5.02	Europe/Oslo		
NOMQN	NO	Mo i Rana		66.32	14.13	Europe/Oslo		
NOMSS	NO	Moss		59.42	10.65	Europe/Oslo		
NOODD	NO	Odda		60.07	6.53	Europe/Oslo		
NOORK	NO	Orkanger		63.32	9.83	Europe/Oslo		
NOOSL	NO	Oslo		59.90	10.73	Europe/Oslo		
NOPOR	NO	Porsgrunn		59.13	9.63	Europe/Oslo		
NOSAD	NO	Sandefjord		59.12	10.22	Europe/Oslo		
NOSAU	NO	Sauda		59.63	6.35	Europe/Oslo		
NOSKE	NO	Skien		59.20	9.60	Europe/Oslo		
NOSKX	NO	Skogn		63.70	11.15	Europe/Oslo		
NOSLX	NO	Sortland		68.70	15.42	Europe/Oslo		
NOSPG	NO	Sarpsborg		59.27	11.10	Europe/Oslo		
NOSRP	NO	Stord		59.75	5.48	Europe/Oslo		
NOSTM	NO	Straumen		67.35	15.60	Europe/Oslo		
NOSUN	NO	Sunndalsora		62.67	8.55	Europe/Oslo		
NOSVE	NO	Svelgen		61.77	5.28	Europe/Oslo		
NOSVG	NO	Stavanger		58.97	5.75	Europe/Oslo		
NOTAE	NO	Tananger		58.92	5.58	Europe/Oslo		
NOTON	NO	Tonsberg		59.25	10.42	Europe/Oslo		
NOTOS	NO	Tromso		69.67	18.97	Europe/Oslo		
NOTRD	NO	Trondheim		63.43	10.40	Europe/Oslo		
NZAKL	NZ	Auckland		-36.83	174.80	Pacific/Auckland		
NZBLU	NZ	Bluff		-46.60	168.32	Pacific/Auckland		
NZCHC	NZ	Christchurch		-43.53	172.63	Pacific/Auckland		
NZDUD	NZ	Dunedin		-45.87	170.50	Pacific/Auckland		
NZHLZ	NZ	Hamilton		-37.78	175.28	Pacific/Auckland		
NZLYT	NZ	Lyttelton		-43.60	172.72	Pacific/Auckland		
NZMNR	NZ	Middleton		-43.54	172.59	Pacific/Auckland		
NZNPE	NZ	Napier		-39.47	176.90	Pacific/Auckland		
NZNPL	NZ	New Plymouth		-39.05	174.02	Pacific/Auckland		
NZNSN	NZ	Nelson		-41.25	173.27	Pacific/Auckland		
NZPMR	NZ	Palmerston North		-40.35	175.61	Pacific/Auckland		
NZPOE	NZ	Port Chalmers		-45.82	170.60	Pacific/Auckland		
NZTIU	NZ	Timaru		-44.38	171.25	Pacific/Auckland		
NZTKA	NZ	Temuka		-44.25	171.27	Pacific/Auckland		
NZTRG	NZ	Tauranga		-37.68	176.17	Pacific/Auckland		
NZWAG	NZ	Wanganui		-39.93	174.98	Pacific/Auckland		
NZWLG	NZ	Wellington		-41.27	174.78	Pacific/Auckland		
NZWRE	NZ	Whangarei		-35.83	174.48	Pacific/Auckland		
OMMCT	OM	Muscat		23.59	58.41	Asia/Muscat		
OMMNQ	OM	Mina' Qabus		23.62	58.57	Asia/Muscat		
OMOPQ	OM	Port Qaboos		23.63	58.56	Asia/Muscat		
OMSLL	OM	Salalah		17.05	54.11	Asia/Muscat		
OMSOH	OM	Sohar		24.35	56.71	Asia/Muscat	Suhar	
PAAML	PA	Puerto Armuelles		8.31	-82.93	America/Panama		
PABLB	PA	Balboa		8.96	-79.56	America/Panama		
PACFZ	PA	Colón Free Zone		9.35	-79.90	America/Panama	Colon Free Zone	
PACSO	PA	Coco Solo		9.37	-79.88	America/Panama		
PACTB	PA	Cristóbal		9.35	-79.90	America/Panama	Cristobal	
PACTD	PA	Chitre		7.95	-80.44	America/Panama		
PACZZ	PA	Cañazas		8.13	-80.70	America/Panama	Canazas	
PAMIT	PA	Manzanillo		9.36	-79.88	America/Panama	Manzanillo Panama|MIT Panama	
PAONX	PA	Colón		9.35	-79.87	America/Panama	Colon	
PAPSA	PA	Rodman		8.96	-79.59	America/Panama		
PAPTY	PA	Panama City		8.97	-79.53	America/Panama	Panama|Ciudad de Panama	
PEATI	PE	Atico		-16.23	-73.61	America/Lima		
PECHM	PE	Chimbote		-9.06	-78.59	America/Lima		
PECLL	PE	Callao		-12.05	-77.13	America/Lima		
PEGSM	PE	General San Martin		-12.20	-76.92	America/Lima		
PEHCO	PE	Huacho		-11.12	-77.61	America/Lima		
PEILQ	PE	Ilo		-17.67	-71.35	America/Lima		
PEIQT	PE	Iquitos		-3.74	-73.25	America/Lima		
PELOB	PE	Lobitos		-4.46	-81.28	America/Lima		
PEMRI	PE	Matarani		-17.01	-72.10	America/Lima		
PEPAC	PE	Pacasmayo		-7.40	-79.57	America/Lima		
PEPAI	PE	Paita		-5.09	-81.10	America/Lima		
PEPCH	PE	Puerto Chicama		-7.85	-79.14	America/Lima		
PEPIO	PE	Pisco		-13.71	-76.18	America/Lima		
PESNX	PE	San Nicolas		-6.39	-77.51	America/Lima		
PESUP	PE	Supe		-10.80	-77.71	America/Lima		
PESVY	PE	Salaverry		-8.21	-78.98	America/Lima		
PETYL	PE	Talara		-4.58	-81.26	America/Lima		
PFPPT	PF	Papeete		-17.55	-149.56	Pacific/Tahiti		
PGLAE	PG	Lae		-6.72	147.00	Pacific/Port_Moresby		
PGMAG	PG	Madang		-5.22	145.79	Pacific/Port_Moresby		
PGPOM	PG	Port Moresby		-9.44	147.18	Pacific/Port_Moresby		
PGRAB	PG	Rabaul		-4.20	152.16	Pacific/Port_Moresby		
PHCEB	PH	Cebu		10.32	123.89	Asia/Manila		
PHCGY	PH	Cagayan de Oro		8.45	124.63	Asia/Manila		
PHDVO	PH	Davao		7.19	125.46	Asia/Manila		
PHGES	PH	General Santos		6.12	125.15	Asia/Manila		
PHIGN	PH	Iligan		8.23	124.25	Asia/Manila		
PHISB	PH	Isabela		6.70	121.97	Asia/Manila	Basilan	
PHMLS	PH	Magellanes		12.88	121.77	Asia/Manila		
PHMNI	PH	Manicani		11.00	125.64	Asia/Manila		
PHMNL	PH	Manila		14.60	120.98	Asia/Manila	Manilla	
PHMNN	PH	Manila North Harbour		14.62	120.96	Asia/Manila		
PHMNS	PH	Manila South Harbour		14.58	120.97	Asia/Manila		
PHOZC	PH	Ozamis		8.16	123.77	Asia/Manila		
PHPSL	PH	Pasaleng		18.16	120.71	Asia/Manila		
PHSFS	PH	Subic Bay		14.79	120.24	Asia/Manila		
PHZAM	PH	Zamboanga		6.92	122.08	Asia/Manila		
PKBQM	PK	Port Qasim		24.86	67.02	Asia/Karachi	Karachi-muhammad Bin Qasim|Karachi-Muhammad Bin Qasim|Bin Qasim|Qasim	
PKKHI	PK	Karachi		24.86	67.01	Asia/Karachi		
PLGDN	PL	Gdansk		54.35	18.65	Europe/Warsaw	Danzig	
PLGDY	PL	Gdynia		54.50	18.55	Europe/Warsaw		
PLSWI	PL	Swinoujscie		53.90	14.25	Europe/Warsaw		
PLSZZ	PL	Szczecin		53.43	14.55	Europe/Warsaw		
PRBQN	PR	Aguadilla		18.43	-67.15	America/Puerto_Rico		
PRMAZ	PR	Mayagüez		18.20	-67.15	America/Puerto_Rico	Mayaguez	
PRPNU	PR	Puerto Nuevo		18.42	-66.08	America/Puerto_Rico		
PRPSE	PR	Ponce		18.01	-66.61	America/Puerto_Rico		
PRSJU	PR	San Juan		18.45	-66.08	America/Puerto_Rico		
PTADH	PT	Angra do Heroísmo		38.65	-27.22	Atlantic/Azores	Angra do Heroismo	
PTCNL	PT	Caniçal		32.73	-16.73	Europe/Lisbon	Canical	
PTENT	PT	Entroncamento		39.47	-8.47	Europe/Lisbon		
PTFDF	PT	Figueira da Foz		40.15	-8.87	Europe/Lisbon		
PTFNC	PT	Funchal		32.63	-16.90	Europe/Lisbon		
PTHOR	PT	Horta		38.53	-28.63	Atlantic/Azores		
PTLEI	PT	Leixões		41.18	-8.68	Europe/Lisbon	Leixoes	
PTLIS	PT	Lisbon		38.72	-9.13	Europe/Lisbon	Lisboa|Lissabon	
PTOPO	PT	Porto		41.15	-8.62	Europe/Lisbon		
PTPDL	PT	Ponta Delgada		37.73	-25.67	Atlantic/Azores		
PTPRV	PT	Praia da Vitória		38.73	-27.07	Atlantic/Azores	Praia da Vitoria	
PTSET	PT	Setúbal		38.53	-8.90	Europe/Lisbon	Setubal	
PTSIE	PT	Sines		37.95	-8.87	Europe/Lisbon		
PTTER	PT	Terceira Island		38.72	-27.22	Atlantic/Azores		
PTVDC	PT	Viana do Castelo		41.70	-8.83	Europe/Lisbon		
PYASU	PY	Asunción		-25.27	-57.67	America/Asuncion	Asuncion	
PYBCM	PY	Barrio Caacupé Mí		-25.22	-57.55	America/Asuncion	Barrio Caacupe Mi	
PYFNX	PY	Fenix		-25.26	-57.58	America/Asuncion		
PYPIL	PY	Pilar		-26.86	-58.29	America/Asuncion		
PYPSE	PY	Pto Seguro		-25.17	-57.55	America/Asuncion		
PYSAN	PY	San Antonio		-25.42	-57.55	America/Asuncion		
PYTER	PY	Terport		-25.38	-57.63	America/Asuncion	San Antonio	
QADOH	QA	Doha		25.35	51.49	Asia/Qatar		
QAHMD	QA	Hamad		25.02	51.62	Asia/Qatar		
QAMES	QA	Mesaieed		25.63	51.92	Asia/Qatar		
QAUMS	QA	Umm Sa'id		24.98	51.53	Asia/Qatar	Mesaieed	
RELPT	RE	Le Port		-20.92	55.30	Asia/Dubai	Le	
REPDG	RE	Port de Pointe des Galets		-20.93	55.29	Asia/Dubai	Pointe des Galets|Reunion	
REREU	RE	Réunion		-20.88	55.53	Indian/Reunion	Reunion	
RERUN	RE	Saint-Denis de la Reunion		-20.88	55.53	Indian/Reunion		
ROAGI	RO	Agigea		44.08	28.62	Europe/Bucharest		
ROBRA	RO	Braila		45.27	27.98	Europe/Bucharest		
ROCND	RO	Constanța		44.18	28.65	Europe/Bucharest	Constanta|Constantza	
ROGAL	RO	Galati		45.43	28.05	Europe/Bucharest		
ROMAG	RO	Mangalia		43.82	28.57	Europe/Bucharest		
RUARH	RU	Arkhangelsk		64.55	40.56	Europe/Moscow		
RUGDX	RU	Magadan		59.56	150.83	Asia/Magadan		
RUKGD	RU	Kaliningrad		54.71	20.45	Europe/Kaliningrad		
RUKHO	RU	Kholmsk		47.05	142.05	Asia/Sakhalin		
RUKOR	RU	Korsakov		46.64	142.78	Asia/Sakhalin		
RUKRR	RU	Krasnodar		45.04	38.99	Europe/Moscow		
RULED	RU	St Petersburg		59.88	30.25	Europe/Moscow	Saint Petersburg|Leningrad|Petersburg	
RUMMK	RU	Murmansk		68.96	33.08	Europe/Moscow		
RUNJK	RU	Nakhodka		42.82	132.88	Asia/Vladivostok		
RUNVS	RU	Novorossiysk		44.72	37.77	Europe/Moscow		
RUPTP	RU	Potapova		56.13	103.95	Asia/Irkutsk		
RUROV	RU	Rostov		47.24	39.70	Europe/Moscow		
RUTAG	RU	Taganrog		47.24	38.87	Europe/Moscow		
RUVVO	RU	Vladivostok		43.17	132.01	Asia/Vladivostok		
RUVYG	RU	Vyborg		60.71	28.76	Europe/Moscow		
RUVYP	RU	Vostochnyy		42.77	133.05	Asia/Vladivostok		
RWKGL	RW	Kigali		-1.96	30.11	Africa/Kigali		
SADMM	SA	Dammam	Ash Sharqiyah	26.42	50.10	Asia/Riyadh	Ad Dammam|King Abdul Aziz	
SADMN	SA	Dammam	Eastern Province	26.39	49.98	Asia/Riyadh		
SAJED	SA	Jeddah		21.29	39.24	Asia/Riyadh	Jiddah|Djeddah	
SAJUB	SA	Jubail		26.96	49.57	Asia/Riyadh		
SAKAC	SA	King Abdullah City		22.40	39.08	Asia/Riyadh	King Abdullah Port|King Abdullah|KAEC	
SARUH	SA	Riyadh		24.75	46.90	Asia/Riyadh		
SBHIR	SB	Honiara		-9.45	159.97	Pacific/Guadalcanal		
SBNOR	SB	Noro		-8.24	157.20	Pacific/Guadalcanal		
SCMAW	SC	Mahe		-4.68	55.48	Indian/Mahe		
SCPOV	SC	Port Victoria		-4.62	55.48	Indian/Mahe		
SDPZU	SD	Port Sudan		19.59	37.19	Africa/Khartoum		
SEAHU	SE	Åhus		55.93	14.30	Europe/Stockholm	Ahus	
SEFAG	SE	Falkenberg		56.90	12.49	Europe/Stockholm		
SEGOT	SE	Gothenburg		57.72	11.97	Europe/Stockholm	Göteborg|Goteborg|Goeteborg|Gotenburg	
SEGVX	SE	Gävle		60.67	17.14	Europe/Stockholm	Gavle	
SEHAD	SE	Halmstad		56.67	12.86	Europe/Stockholm		
SEHEL	SE	Helsingborg		56.05	12.69	Europe/Stockholm		
SEKAN	SE	Karlshamn		56.17	14.86	Europe/Stockholm		
SEKSD	SE	Karlstad		59.40	13.51	Europe/Stockholm		
SELAA	SE	Landskrona		55.87	12.83	Europe/Stockholm		
SEMMA	SE	Malmö		55.60	13.00	Europe/Stockholm	Malmo	
SENRK	SE	Norrköping		58.59	16.19	Europe/Stockholm	Norrkoping	
SEOSK	SE	Oskarshamn		57.27	16.45	Europe/Stockholm		
SEOXE	SE	Oxelösund		58.67	17.10	Europe/Stockholm	Oxelosund	
SESDL	SE	Sundsvall		62.38	17.30	Europe/Stockholm		
SESFT	SE	Skellefteå		64.75	20.95	Europe/Stockholm	Skelleftea	
SESKE	SE	Skelleftehamn		64.69	21.24	Europe/Stockholm		
SESOE	SE	Södertälje		59.20	17.62	Europe/Stockholm	Sodertalje	
SESTO	SE	Stockholm		59.33	18.07	Europe/Stockholm		
SETRG	SE	Trelleborg		55.38	13.16	Europe/Stockholm		
SEUDD	SE	Uddevalla		58.35	11.94	Europe/Stockholm		
SEUME	SE	Umeå		63.83	20.25	Europe/Stockholm	Umea	
SEVST	SE	Västerås		59.61	16.54	Europe/Stockholm	Vasteras	
SGJUR	SG	Jurong		1.33	103.70	Asia/Singapore		
SGSIN	SG	Singapore		1.28	103.85	Asia/Singapore		
SIKOP	SI	Koper		45.55	13.73	Europe/Ljubljana		
SKBTS	SK	Bratislava		48.15	17.12	Europe/Bratislava		
SLFNA	SL	Freetown		8.47	-13.23	Africa/Freetown		
SNDKR	SN	Dakar		14.76	-17.37	Africa/Dakar		
SOBBO	SO	Berbera		10.43	45.01	Africa/Mogadishu		
SOKMU	SO	Kismayu		-0.36	42.55	Africa/Mogadishu		
SOMGQ	SO	Mogadishu		2.05	45.32	Africa/Mogadishu		
SRPBM	SR	Paramaribo		5.85	-55.20	America/Paramaribo		
STTMS	ST	Sao Tome Island		0.26	6.62	Africa/Sao_Tome		
SVAQJ	SV	Acajutla		13.60	-89.83	America/El_Salvador		
SVLLD	SV	La Libertad		13.48	-89.32	America/El_Salvador		
SVLUN	SV	La Union		13.33	-87.85	America/El_Salvador		
SVSAL	SV	San Salvador		13.69	-89.22	America/El_Salvador		
SYDAM	SY	Damascus		33.51	36.28	Asia/Damascus	Damas	
SYLTK	SY	Latakia		35.52	35.78	Asia/Damascus		
SYTTS	SY	Tartus		34.90	35.90	Asia/Damascus		
TCPLS	TC	Providenciales		21.77	-72.27	America/Grand_Turk		
TGLFW	TG	Lome		6.17	1.23	Africa/Lome		
THBGP	TH	Bangpakong		13.73	100.65	Asia/Bangkok		
THBKK	TH	Bangkok		13.75	100.52	Asia/Bangkok		
THBMT	TH	Bangkok Modern Terminals		13.60	100.58	Asia/Bangkok		
THKSI	TH	Koh Sichang		13.15	100.81	Asia/Bangkok		
THKTY	TH	Khlong Toei		13.72	100.57	Asia/Bangkok		
THLCH	TH	Laem Chabang		13.08	100.88	Asia/Bangkok	Laemchabang|LCB	
THLKR	TH	Lat Krabang				Asia/Bangkok		
THMAT	TH	Mab Tapud		13.69	100.53	Asia/Bangkok		
THPAT	TH	Pat Bangkok		13.70	100.57	Asia/Bangkok		
THPKN	TH	Paknam		15.91	103.17	Asia/Bangkok		
THSBP	TH	Siam Bangkok		13.65	100.55	Asia/Bangkok		
THSGZ	TH	Songkhla		7.20	100.60	Asia/Bangkok		
THSPR	TH	Samut Prakarn		13.60	100.60	Asia/Bangkok		
THSRI	TH	Sriracha		13.13	100.88	Asia/Bangkok		
THTPT	TH	Thai prosperity terminal				Asia/Bangkok		
TNGAE	TN	Gabès		33.88	10.12	Africa/Tunis	Gabes	
TNJAR	TN	Zarzis		33.50	11.12	Africa/Tunis	Jarjis	
TNLGN	TN	La Goulette Nord		36.82	10.30	Africa/Tunis	Halqueloued	
TNRDS	TN	Radès		36.77	10.27	Africa/Tunis	Rades	
TNSFA	TN	Sfax		34.75	10.77	Africa/Tunis		
TNSUS	TN	Sousse		35.83	10.61	Africa/Tunis		
TNTUN	TN	Tunis		36.81	10.18	Africa/Tunis		
TOTBU	TO	Nuku'alofa		-21.13	-175.20	Pacific/Tongatapu		
TRALI	TR	Aliaga		38.80	26.97	Europe/Istanbul		
TRAMB	TR	Ambarli		41.32	41.68	Europe/Istanbul		
TRAVC	TR	Avcilar		40.97	28.70	Europe/Istanbul		
TRAYT	TR	Antalya		36.90	30.71	Europe/Istanbul		
TRBAY	TR	Bayrampasa		41.05	28.90	Europe/Istanbul		
TRBDM	TR	Bandirma		40.35	27.97	Europe/Istanbul		
TREYP	TR	Evyap		40.77	29.70	Europe/Istanbul		
TRGEB	TR	Gebze		40.78	29.42	Europe/Istanbul		
TRGEM	TR	Gemlik		40.43	29.16	Europe/Istanbul		
TRHAY	TR	Haydarpasa		41.00	29.01	Europe/Istanbul		
TRHER	TR	Hereke		40.79	29.63	Europe/Istanbul		
TRISK	TR	Iskenderun		36.58	36.18	Europe/Istanbul		
TRIST	TR	Istanbul		41.01	28.98	Europe/Istanbul	Constantinople	
TRIZM	TR	Izmir		38.42	27.15	Europe/Istanbul	Smyrna	
TRIZT	TR	Izmit		40.78	29.95	Europe/Istanbul		
TRKMX	TR	Kumport		40.95	28.82	Europe/Istanbul		
TRMAD	TR	Mardas		41.02	28.95	Europe/Istanbul		
TRMAR	TR	Marmara Ereglisi		41.04	27.90	Europe/Istanbul		
TRMER	TR	Mersin		36.72	34.63	Europe/Istanbul		
TRNEM	TR	Nemrut Bay		38.42	27.14	Europe/Istanbul		
TRSSX	TR	Samsun		41.28	36.34	Europe/Istanbul		
TRTEK	TR	Tekirdag		40.98	27.51	Europe/Istanbul		
TRTZX	TR	Trabzon		41.00	39.72	Europe/Istanbul		
TRYAR	TR	Yarimca		40.77	29.73	Europe/Istanbul		
TTPOS	TT	Port-of-Spain		10.65	-61.52	America/Port_of_Spain		
TTPTP	TT	Pointe a Pierre		10.32	-61.46	America/Port_of_Spain		
TTPTS	TT	Point Lisas		10.41	-61.46	America/Port_of_Spain		
TTSFE	TT	San Fernando		10.29	-61.45	America/Port_of_Spain		
TWKEL	TW	Keelung		25.13	121.75	Asia/Taipei	Chilung|Jilong	
TWKHH	TW	Kaohsiung		22.63	120.30	Asia/Taipei		
TWMLI	TW	Mai-liao		23.10	120.13	Asia/Taipei		
TWSUO	TW	Suao		24.59	121.85	Asia/Taipei		
TWTPE	TW	Taipei				Asia/Taipei		
TWTXG	TW	Taichung		24.15	120.67	Asia/Taipei	Taizhong	
TWTYN	TW	Taoyuan		24.99	121.30	Asia/Taipei		
TZDAR	TZ	Dar es Salaam		-6.80	39.28	Africa/Dar_es_Salaam		
TZTGT	TZ	Tanga		-5.09	39.10	Africa/Dar_es_Salaam		
TZZNZ	TZ	Zanzibar		-6.17	39.20	Africa/Dar_es_Salaam		
UAIEV	UA	Kiev		50.45	30.52	Europe/Kiev		
UAILK	UA	Illichivs'k		46.30	30.67	Europe/Kiev		
UAKHE	UA	Kherson		46.64	32.62	Europe/Kiev		
UAMPW	UA	Mariupol		47.10	37.55	Europe/Kiev	Zhdanov	
UAODS	UA	Odessa		46.48	30.72	Europe/Kiev	Odesa	
UASVP	UA	Sevastopol		44.60	33.53	Europe/Simferopol		
UGJIN	UG	Jinja		0.45	33.20	Africa/Kampala		
UGKLA	UG	Kampala		0.35	32.58	Africa/Kampala		
USADQ	US	Kodiak		57.79	-152.41	America/Anchorage		
USANC	US	Anchorage		61.22	-149.90	America/Anchorage		
USANP	US	Annapolis		38.98	-76.49	America/New_York		
USAR5	US	Damascus		35.37	-92.41	America/Chicago		
USATL	US	Atlanta		33.75	-84.39	America/New_York		
USBAL	US	Baltimore		39.28	-76.62	America/New_York		
USBCC	US	Bear Creek		60.16	-149.40	America/Anchorage		
USBHM	US	Birmingham						
USBNA	US	Nashville		36.16	-86.78	America/Chicago		
USBOS	US	Boston		42.36	-71.06	America/New_York		
USBPT	US	Beaumont		30.08	-94.13	America/Chicago		
USBRO	US	Brownsville		25.90	-97.48	America/Chicago		
USBUF	US	Buffalo		42.89	-78.88	America/New_York		
USCBF	US	Council Bluffs						
USCHA	US	Chattanooga		35.03	-85.30	America/New_York		
USCHI	US	Chicago		41.88	-87.63	America/Chicago		
USCHS	US	Charleston		32.78	-79.93	America/New_York		
USCLE	US	Cleveland		41.50	-81.67	America/New_York		
USCLM	US	Port Angeles		48.12	-123.43	America/Los_Angeles		
USCLT	US	Charlotte		35.23	-80.84	America/New_York		
USCMH	US	Columbus		39.96	-83.00	America/New_York		
USCPF	US	Chippewa Falls						
USCPV	US	Cape Canaveral		28.39	-80.61	America/New_York		
USCRP	US	Corpus Christi		27.80	-97.40	America/Chicago		
USCVG	US	Cincinnati		39.10	-84.51	America/New_York		
USCZF	US	Cape Romanzof		61.81	-166.10	America/Anchorage		
USDA8	US	Dauphin		40.37	-76.93	America/New_York		
USDAL	US	Dallas		32.78	-96.80	America/Chicago		
USDEC	US	Decatur		39.84	-88.95	America/Chicago		
USDEN	US	Denver		39.74	-104.99	America/Denver		
USDET	US	Detroit		42.32	-83.03	America/Toronto		
USDNN	US	Dalton		34.77	-84.97	America/New_York		
USDSM	US	Des Moines		41.60	-93.61	America/Chicago		
USDUT	US	Dutch Harbor		53.89	-166.54	America/Anchorage		
USELP	US	El Paso		31.75	-106.48	America/Denver		
USENA	US	Kenai		60.55	-151.26	America/Anchorage		
USEWR	US	Newark		40.73	-74.17	America/New_York	Port Newark|Elizabeth	
USFEB	US	Fernandina Beach		30.67	-81.45	America/New_York		
USFLL	US	Fort Lauderdale		26.12	-80.13	America/New_York		
USFPO	US	Freeport		28.95	-95.36	America/Chicago		
USFRP	US	Fresh Water Bay		57.87	-135.02	America/Anchorage		
USFWT	US	Fort Worth		32.76	-97.33	America/Chicago		
USGBO	US	Greensboro						
USGLS	US	Galveston		29.30	-94.80	America/Chicago		
USGPT	US	Gulfport		30.37	-89.09	America/Chicago		
USGSP	US	Greer						
USHNL	US	Honolulu		21.30	-157.85	Pacific/Honolulu		
USHOU	US	Houston		29.75	-95.35	America/Chicago		
USHSV	US	Huntsville		34.73	-86.59	America/Chicago		
USILM	US	Wilmington		34.22	-77.93	America/New_York		
USIND	US	Indianapolis		39.77	-86.15	America/New_York		
USJ3C	US	Jacksonville	Oregon	42.31	-122.97	America/Los_Angeles		
USJAX	US	Jacksonville	Florida	30.33	-81.66	America/New_York		
USJOT	US	Joliet						
USKCK	US	Kansas City	Kansas	39.11	-94.63	America/Chicago		
USLAS	US	Las Vegas		36.07	-115.15	America/Los_Angeles		
USLAT	US	Los Alamitos		33.80	-118.07	America/Los_Angeles		
USLAX	US	Los Angeles		34.05	-118.24	America/Los_Angeles	LA	
USLCH	US	Lake Charles		30.23	-93.22	America/Chicago		
USLGB	US	Long Beach		33.77	-118.18	America/Los_Angeles		
USLRD	US	Laredo		27.50	-99.48	America/Chicago		
USLUI	US	Louisville		38.23	-85.77	America/New_York		
USMEM	US	Memphis		35.15	-90.05	America/Chicago		
USMES	US	Minneapolis	Minnesota	44.98	-93.27	America/Chicago		
USMIA	US	Miami		25.76	-80.19	America/New_York		
USMKC	US	Kansas City	Missouri	39.10	-94.57	America/Chicago		
USMKE	US	Milwaukee		43.04	-87.91	America/Chicago		
USMOB	US	Mobile		30.70	-88.04	America/Chicago		
USMRH	US	Morehead City		34.72	-76.73	America/New_York		
USMSP	US	Minneapolis	Minnesota	44.88	-93.20	America/Chicago		
USMSY	US	New Orleans		29.95	-90.07	America/Chicago		
USNNS	US	Newport News		36.97	-76.42	America/New_York		
USNTD	US	Port Hueneme		34.13	-119.18	America/Los_Angeles		
USNTS	US	North Charleston		32.85	-79.97	America/New_York		
USNYC	US	New York		40.70	-74.00	America/New_York	NYC|New York New Jersey	
USOAK	US	Oakland		37.80	-122.27	America/Los_Angeles		
USOCN	US	Oceanside		33.20	-117.38	America/Los_Angeles		
USOCW	US	Washington		35.55	-77.05	America/New_York		
USOLM	US	Olympia		47.04	-122.90	America/Los_Angeles		
USOMA	US	Omaha		41.25	-96.00	America/Chicago		
USORF	US	Norfolk		36.85	-76.29	America/New_York	Hampton Roads	
USORL	US	Orlando		28.53	-81.37	America/New_York		
USOYM	US	Otay Mesa		32.57	-117.02	America/Los_Angeles		
USPAB	US	Palm Beach		26.71	-80.04	America/New_York		
USPCA	US	Portage Creek		58.91	-157.72	America/Anchorage		
USPCV	US	Port Canaveral		28.24	-80.36	America/New_York		
USPDX	US	Portland	Oregon	45.52	-122.68	America/Los_Angeles		
USPEB	US	Port Elizabeth		39.30	-74.97	America/New_York		
USPEF	US	Port Everglades		26.10	-80.13	America/New_York		
USPFN	US	Panama City		30.16	-85.66	America/Chicago		
USPGL	US	Pascagoula		30.37	-88.56	America/Chicago		
USPHF	US	Hampton-Williamsburg-Newport News		37.12	-76.48	America/New_York		
USPHL	US	Philadelphia		39.95	-75.17	America/New_York		
USPHX	US	Phoenix		33.45	-112.07	America/Phoenix		
USPIA	US	Peoria		40.69	-89.59	America/Chicago		
USPIT	US	Pittsburgh		40.44	-80.00	America/New_York		
USPME	US	Port Manatee		27.63	-82.55	America/New_York		
USPNS	US	Pensacola		30.42	-87.22	America/Chicago		
USPOA	US	Port Arthur		29.88	-93.92	America/Chicago		
USPPS	US	Pennsauken		39.95	-75.05	America/New_York		
USPS6	US	Pearson		45.36	-89.02	America/Chicago		
USPTM	US	Portsmouth		36.84	-76.30	America/New_York		
USPVD	US	Providence		41.82	-71.41	America/New_York		
USPWM	US	Portland	Maine	43.66	-70.26	America/New_York		
USPWN	US	Port Wentworth		32.15	-81.16	America/New_York		
USPYM	US	Plymouth		41.96	-70.67	America/New_York		
USRAJ	US	Rotterdam		42.79	-73.97	America/New_York		
USRBC	US	Riviera Beach		26.78	-80.06	America/New_York		
USRIC	US	Richmond		37.55	-77.45	America/New_York		
USRNO	US	Reno						
USSAC	US	Sacramento		38.57	-121.48	America/Los_Angeles		
USSAN	US	San Diego		32.70	-117.15	America/Los_Angeles		
USSAT	US	San Antonio						
USSAV	US	Savannah	Georgia	32.08	-81.10	America/New_York		
USSCK	US	Stockton		37.95	-121.28	America/Los_Angeles		
USSEA	US	Seattle		47.61	-122.33	America/Los_Angeles		
USSFO	US	San Francisco		37.77	-122.42	America/Los_Angeles		
USSLC	US	Salt Lake City		40.76	-111.89	America/Denver		
USSPT	US	South Saint Paul		44.88	-93.05	America/Chicago		
USSSI	US	Brunswick		31.15	-81.49	America/New_York		
USSTL	US	Saint Louis		38.63	-90.20	America/Chicago		
USSTP	US	Saint Paul		44.95	-93.09	America/Chicago		
USSUE	US	Sturgeon Bay		44.83	-87.38	America/Chicago		
USSUW	US	Superior		46.72	-92.10	America/Chicago		
USSWF	US	Newburgh		41.50	-74.01	America/New_York		
USSXT	US	Santa Teresa						
USSXZ	US	Swartz Creek		42.95	-83.82	America/New_York		
USTIW	US	Tacoma		47.25	-122.44	America/Los_Angeles		
USTMM	US	Tamms		37.24	-89.27	America/Chicago		
USTOL	US	Toledo		41.66	-83.56	America/New_York		
USTPA	US	Tampa		27.95	-82.46	America/New_York		
USTSA	US	Savannah	Tennessee	35.22	-88.25	America/Chicago		
USTUL	US	Tulsa		36.15	-95.99	America/Chicago		
USUGN	US	Waukegan		42.35	-87.83	America/Chicago		
USUXZ	US	Port Chester		41.00	-73.67	America/New_York		
USUZF	US	Tonawanda		43.02	-78.88	America/New_York		
USVAB	US	Virginia Beach		36.85	-75.98	America/New_York		
USXGO	US	Howard Beach		40.65	-73.83	America/New_York		
USXHF	US	Kirkland		47.68	-122.21	America/Los_Angeles		
USXHO	US	Long Island City		40.73	-73.93	America/New_York		
USYOB	US	Oakboro		35.23	-80.33	America/New_York		
UYCYR	UY	Colonia		-32.52	-55.77	America/Montevideo		
UYMVD	UY	Montevideo		-34.90	-56.16	America/Montevideo		
UYNVP	UY	Nueva Palmira		-33.88	-58.40	America/Montevideo		
UYPDU	UY	Paysandu		-32.22	-57.46	America/Montevideo		
VCKTN	VC	Kingstown		13.13	-61.22	America/St_Vincent		
VEAMY	VE	Amuay		11.78	-70.24	America/Caracas		
VEBLA	VE	Barcelona		10.14	-64.68	America/Caracas		
VEEGU	VE	El Guamache		10.90	-64.07	America/Caracas		
VEETV	VE	El Tablazo		10.60	-71.64	America/Caracas		
VEGUB	VE	Guaranao Bay		11.67	-70.21	America/Caracas		
VEGUT	VE	Guanta		10.23	-64.59	America/Caracas		
VELAG	VE	La Guaira		10.59	-66.92	America/Caracas		
VELSV	VE	La Salina		10.72	-71.68	America/Caracas		
VEMAR	VE	Maracaibo		10.65	-71.71	America/Caracas		
VEMTV	VE	Matanzas		8.32	-62.80	America/Caracas		
VEPBL	VE	Puerto Cabello		10.47	-68.03	America/Caracas		
VEPCN	VE	Punta Cardón		11.65	-70.22	America/Caracas	Punta Cardon	
VEPSU	VE	Puerto Sucre		8.97	-68.38	America/Caracas		
VEPZO	VE	Puerto Ordaz		8.28	-62.77	America/Caracas		
VGRAD	VG	Road Town		18.42	-64.61	America/Tortola		
VGTOV	VG	Tortola		18.42	-64.61	America/Tortola		
VICHA	VI	Charlotte Amalie		18.34	-64.93	America/St_Thomas		
VICTD	VI	Christiansted		17.75	-64.70	America/St_Thomas		
VISTT	VI	Saint Thomas		18.35	-64.93	America/St_Thomas		
VISTX	VI	Saint Croix		17.75	-64.73	America/St_Thomas		
VNCLI	VN	Cát Lái		10.77	106.78	Asia/Saigon	Cat Lai	
VNCLN	VN	Cai Lan		21.42	107.05	Asia/Saigon		
VNDAD	VN	Da Nang		16.05	108.20	Asia/Saigon	Đà Nẵng|Tourane	
VNHPH	VN	Haiphong		20.84	106.69	Asia/Saigon	Hải Phòng|Hai Phong	
VNNHA	VN	Nha Trang		12.24	109.20	Asia/Saigon		
VNPHG	VN	Phuóc Long		10.72	106.95	Asia/Saigon	Phuoc Long	
VNSGN	VN	Ho Chi Minh City		10.77	106.67	Asia/Saigon	Hồ Chí Minh|Saigon|HCMC|Thành phố Hồ Chí Minh	
VNSTD	VN	Su Tu Den		10.98	108.26	Asia/Saigon		
VNTOT	VN	Cai Mep		10.59	107.16	Asia/Saigon	Cái Mép	
VNTTD	VN	Tân Thuan Dông		10.73	106.72	Asia/Saigon	Tan Thuan Dong	
VNUIH	VN	Qui Nhon		13.77	109.22	Asia/Saigon		
VNVIC	VN	Ho Chi Minh		10.80	106.67	Asia/Saigon		
VNVUT	VN	Vung Tau		10.35	107.07	Asia/Saigon	Vũng Tàu	
VUSON	VU	Espiritu Santo		-15.30	166.92	Pacific/Efate		
VUVLI	VU	Port Vila		-17.73	168.33	Pacific/Efate		
WSAPW	WS	Apia		-13.85	-171.75	Pacific/Apia		
YEADE	YE	Aden		12.79	45.02	Asia/Aden		
YEHOD	YE	Hodeidah		14.83	42.90	Asia/Aden		
YELAD	YE	Little Aden		12.73	44.87	Asia/Aden		
YEMKX	YE	Mukalla		14.54	49.13	Asia/Aden		
YTLON	YT	Longoni		-12.75	45.17	Indian/Mayotte		
ZABFN	ZA	Bloemfontein		-29.09	26.16	Africa/Johannesburg		
ZACPT	ZA	Cape Town		-33.92	18.42	Africa/Johannesburg		
ZADUR	ZA	Durban		-29.86	31.02	Africa/Johannesburg		
ZAELS	ZA	East London		-33.03	27.85	Africa/Johannesburg		
ZAJNB	ZA	Johannesburg		-26.20	28.08	Africa/Johannesburg		
ZAPLZ	ZA	Port Elizabeth		-33.71	25.52	Africa/Johannesburg	Gqeberha	
ZAPRY	ZA	Pretoria		-25.70	28.22	Africa/Johannesburg		
ZARCB	ZA	Richards Bay		-28.78	32.04	Africa/Johannesburg		
ZAZBA	ZA	Coega		-33.77	25.67	Africa/Johannesburg	Ngqura	
ZMLUN	ZM	Lusaka		-15.39	28.32	Africa/Lusaka		
ZWBUQ	ZW	Bulawayo		-20.13	28.63	Africa/Harare		
ZWHRE	ZW	Harare		-17.83	31.03	Africa/Harare		
ZWUTA	ZW	Mutare		-18.98	32.65	Africa/Harare		
`;
