// Tests start the bot as `npm start` does. The bundle is made before they run, since two files must not write it at once.
export { buildBot as default } from '../../scripts/build-bot.ts';
