# syntax=docker/dockerfile:1

FROM node:22.20.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev
# specs are not needed at run time
RUN find dist -name '*.spec.js*' -delete

FROM node:22.20.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./package.json
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist/bundle ./dist/bundle
COPY --from=build /app/dist/apps ./dist/apps
COPY --from=build /app/dist/libs ./dist/libs
COPY --from=build /app/dist/projections ./dist/projections
COPY --from=build /app/apps/cli/sample ./apps/cli/sample
COPY --from=build /app/bin ./bin
RUN ln -s /app/bin/signal-ledger /usr/local/bin/signal-ledger
RUN install --directory --owner=1000 --group=1000 --mode=0700 /data
VOLUME /data
# by number, so that an orchestrator can see that it is not root
USER 1000:1000
EXPOSE 3000
# Whatever the role: it asks the listener that this process wrote into its data directory. It is ready when its read
# models are built, which takes as long as there are events; the first good answer ends the period.
HEALTHCHECK --interval=5s --timeout=5s --start-period=2h --retries=6 \
  CMD ["node", "dist/apps/cli/src/check-health.js"]
CMD ["node", "--enable-source-maps", "dist/apps/api/src/main.js"]
