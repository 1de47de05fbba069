/*
 * truth_bodies.cpp STEPS - a real numeric library (Bullet, rigid bodies in double precision) at work: a wall of boxes,
 * balls and capsules that fall on it, chains of hinges; prints where the bodies are in the end.
 *
 * In: the number of steps of 1/60 s.  Out: one line on stdout, the same at every run of the same build.
 */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "btBulletDynamicsCommon.h"

namespace {

struct Scene {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btDefaultMotionState>> states;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  std::vector<std::unique_ptr<btTypedConstraint>> joints;

  btCollisionShape *shape(btCollisionShape *made) {
    shapes.emplace_back(made);
    return made;
  }

  btRigidBody *body(btCollisionShape *shape, btScalar mass, const btVector3 &at) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0)
      shape->calculateLocalInertia(mass, inertia);
    states.emplace_back(new btDefaultMotionState(btTransform(btQuaternion::getIdentity(), at)));
    bodies.emplace_back(
        new btRigidBody(btRigidBody::btRigidBodyConstructionInfo(mass, states.back().get(), shape, inertia)));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION); // so that the work doesn't end when all lies still
    world.addRigidBody(bodies.back().get());
    return bodies.back().get();
  }

  void wall(int wide, int high) {
    btCollisionShape *box = shape(new btBoxShape(btVector3(0.5, 0.25, 0.25)));
    for (int row = 0; row < high; row++)
      for (int column = 0; column < wide; column++)
        body(box, 1, btVector3(column + row % 2 * 0.5, 0.26 + row * 0.51, 0));
  }

  void rain(int count) {
    btCollisionShape *ball = shape(new btSphereShape(0.4)), *capsule = shape(new btCapsuleShape(0.25, 0.6));
    for (int i = 0; i < count; i++)
      body(i % 2 == 0 ? ball : capsule, 2, btVector3(i % 7 * 1.1, 6 + i * 0.7, i % 5 * 0.3 - 0.6));
  }

  void chains(int count, int links) {
    btCollisionShape *link = shape(new btBoxShape(btVector3(0.2, 0.05, 0.1)));
    for (int chain = 0; chain < count; chain++) {
      btRigidBody *before = body(link, 0, btVector3(chain, 8, 3));
      for (int i = 1; i <= links; i++) {
        btRigidBody *next = body(link, 0.5, btVector3(chain + i * 0.42, 8, 3));
        joints.emplace_back(new btHingeConstraint(*before, *next, btVector3(0.21, 0, 0), btVector3(-0.21, 0, 0),
                                                  btVector3(0, 0, 1), btVector3(0, 0, 1)));
        world.addConstraint(joints.back().get(), true);
        before = next;
      }
    }
  }

  ~Scene() {
    for (auto &joint : joints)
      world.removeConstraint(joint.get());
    for (auto &body : bodies)
      world.removeRigidBody(body.get());
  }
};

} // namespace

int main(int argc, char **argv) {
  int steps = argc > 1 ? std::atoi(argv[1]) : 60;
  Scene scene;
  scene.body(scene.shape(new btStaticPlaneShape(btVector3(0, 1, 0), 0)), 0, btVector3(0, 0, 0));
  scene.wall(10, 10);
  scene.rain(60);
  scene.chains(6, 12);
  for (int step = 0; step < steps; step++)
    scene.world.stepSimulation(btScalar(1) / 60, 1, btScalar(1) / 60);
  btVector3 sum(0, 0, 0);
  for (auto &body : scene.bodies)
    sum += body->getWorldTransform().getOrigin();
  std::printf("%zu bodies, %d steps, sum %.6f %.6f %.6f\n", scene.bodies.size(), steps, double(sum.x()),
              double(sum.y()), double(sum.z()));
  return 0;
}
