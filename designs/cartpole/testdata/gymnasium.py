# Writes trajectories of Gymnasium's CartPole-v1 (pip install gymnasium==1.0.0) as JSON.
import json, sys
import numpy as np, gymnasium
env = gymnasium.make("CartPole-v1").unwrapped
rng = np.random.default_rng(1)
episodes = []
for e in range(8):
    env.reset(seed=e)
    env.state = rng.uniform(-0.05, 0.05, 4)
    start = [float(v) for v in env.state]
    actions, states, done = [], [], False
    for t in range(120):
        th, om = env.state[2], env.state[3]
        # Some episodes fall at random, others are balanced for a while.
        a = int(rng.integers(2)) if e < 5 or t > 90 else int(th + 0.3 * om > 0)
        _, reward, done, _, _ = env.step(a)
        assert reward == 1.0
        actions.append(a)
        states.append([float(v) for v in env.state])
        if done:
            break
    episodes.append({"start": start, "actions": actions, "states": states, "terminated": bool(done)})
json.dump(episodes, sys.stdout)
