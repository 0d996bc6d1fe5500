#!/bin/sh
# Makes the two files in this folder from @expo-google-fonts/inter: Latin letters, punctuation, arrows and marks.
# Needs fontTools with Brotli: `pip install fonttools brotli`. Run it in the root of the repository.
set -e
for weight in 400Regular 700Bold; do
  pyftsubset "node_modules/@expo-google-fonts/inter/$weight/Inter_$weight.ttf" \
    --output-file="playground/page/fonts/inter-$(echo $weight | cut -c1-3).woff2" \
    --flavor=woff2 \
    --layout-features=kern,mark,mkmk,ccmp,locl,calt,liga,tnum,case \
    --name-IDs=0,1,2,3,4,5,6,13,14 \
    --unicodes=20-7E,A0-17F,192,218-21B,2C6,2DA,2DC,300-30C,327,328,1E9E,2007-200A,2010-2016,2018-201E,2020-2022,2024-2026,202F,2030,2032-2033,2039-203A,2044,2060,2070,2074-2079,2080-2089,20AC,2116,2122,2153-215E,2190-2199,21A9,21AA,21BB,2202,2206,2212,2215,2219,221E,2248,2260,2264-2265,25A0-25A1,25B2-25B3,25B6,25BC-25BD,25C0,25CB,25CF,2605-2606,2713,2715,2717
done
cp node_modules/@expo-google-fonts/inter/LICENSE_FONT playground/page/fonts/LICENSE
