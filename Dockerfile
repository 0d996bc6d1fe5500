# The image holds no embedded page and no development packages: in production nothing embedded starts unless
# it is named (SLACK_API_URL=playground, ANALYTICS_BASE_URL=sandbox); a playground that is named listens on HOST
# too. TypeScript is run directly, so there is no build stage.
FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/build-page.ts scripts/build-page.ts
RUN npm ci --omit=dev
COPY manifest.yml ./
COPY src src
RUN mkdir data && chown node:node data
USER node
VOLUME /app/data
EXPOSE 3000
HEALTHCHECK CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=40", "src/main.ts"]
