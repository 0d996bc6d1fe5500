import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import 'slack-blocks-to-jsx/dist/style.css';
import './styles/base.css';
import './styles/chrome.css';
import './styles/sidebar.css';
import './styles/clock.css';
import './styles/channel.css';
import './styles/channel-intro.css';
import './styles/messages.css';
import './styles/files.css';
import './styles/blocks.css';
import './styles/tables.css';
import './styles/charts.css';
import './styles/cards.css';
import './styles/menus.css';
import './styles/composer.css';
import './styles/agent.css';
import './styles/inspector.css';
import './styles/faults.css';
import './styles/fields.css';
import './styles/views.css';
import './styles/installs.css';
import './styles/steps.css';
import './styles/rail.css';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
