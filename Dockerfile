# The image holds no embedded page and no development packages: in production nothing embedded starts unless
# it is named (SLACK_API_URL=playground, ANALYTICS_BASE_URL=sandbox); a playground that is named listens on HOST
# too. The bot runs from its bundle; backup, restore, workspaces and doctor run from the sources.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY playground/package.json playground/package.json
RUN npm ci --ignore-scripts
COPY scripts/build-bot.ts scripts/build-bot.ts
COPY playground/src playground/src
COPY src src
RUN node scripts/build-bot.ts

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY package.json package-lock.json ./
COPY playground/package.json playground/package.json
RUN npm ci --omit=dev --ignore-scripts
COPY manifest.yml ./
COPY src src
COPY --from=build /app/dist dist
RUN mkdir data && chown node:node data
USER node
VOLUME /app/data
EXPOSE 3000
HEALTHCHECK CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "--heap-growing-percent=40", "--liftoff-only", "dist/main.js"]
